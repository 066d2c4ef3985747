// Package machine tells what this computer has: its memory and the free space of a disk.
package machine

import (
	"fmt"
	"unsafe"

	"golang.org/x/sys/windows"
)

// memoryStatus is MEMORYSTATUSEX.
type memoryStatus struct {
	length                                                                          uint32
	load                                                                            uint32
	total, avail, totalPage, availPage, totalVirtual, availVirtual, availExtVirtual uint64
}

// Memory returns the size of the main memory in bytes.
func Memory() (int64, error) {
	st := memoryStatus{}
	st.length = uint32(unsafe.Sizeof(st))
	proc := windows.NewLazySystemDLL("kernel32.dll").NewProc("GlobalMemoryStatusEx")
	if ok, _, err := proc.Call(uintptr(unsafe.Pointer(&st))); ok == 0 {
		return 0, fmt.Errorf("read the size of the memory: %w", err)
	}
	return int64(st.total), nil
}

// FreeDisk returns the bytes that a user may still write on the volume that holds dir.
func FreeDisk(dir string) (int64, error) {
	path, err := windows.UTF16PtrFromString(dir)
	if err != nil {
		return 0, fmt.Errorf("ask for the free space of %s: %w", dir, err)
	}
	var free uint64
	if err := windows.GetDiskFreeSpaceEx(path, &free, nil, nil); err != nil {
		return 0, fmt.Errorf("ask for the free space of %s: %w", dir, err)
	}
	return int64(free), nil
}
