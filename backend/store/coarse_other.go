//go:build !amd64

package store

// hasDotBytes says that vectors in bytes are of no use here.
const hasDotBytes = false

func dotBytes([]int16, []int8) int32 { panic("vectors in bytes are not used on this processor") }
