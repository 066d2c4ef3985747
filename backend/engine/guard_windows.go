package engine

import (
	"fmt"
	"os"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

// group is a job whose processes end when its last handle closes: when the guard ends, however it does.
type group struct{ job windows.Handle }

func newGroup() (group, error) {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return group{}, fmt.Errorf("make a job: %w", err)
	}
	info := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{}
	info.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	if _, err := windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&info)), uint32(unsafe.Sizeof(info))); err != nil {
		return group{}, fmt.Errorf("set up the job: %w", err)
	}
	if err := windows.AssignProcessToJobObject(job, windows.CurrentProcess()); err != nil {
		return group{}, fmt.Errorf("enter the job: %w", err)
	}
	return group{job}, nil
}

// kill ends every process of the job, the guard itself among them.
func (g group) kill() { _ = windows.TerminateJobObject(g.job, 0) }

// guardAttributes keep a console window from opening.
func guardAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{HideWindow: true, CreationFlags: windows.CREATE_NEW_PROCESS_GROUP}
}

// terminate ends a process: Windows has no way to ask.
func terminate(p *os.Process) { _ = p.Kill() }

// killGuarded ends the guard, and with it its job.
func killGuarded(guard *os.Process) { _ = guard.Kill() }
