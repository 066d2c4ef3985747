package store

import "golang.org/x/sys/cpu"

// hasDotBytes says that dotBytes is faster than reading the vectors themselves.
var hasDotBytes = cpu.X86.HasAVX2

// dotBytes returns the inner product of two vectors of the same length, a positive multiple of coarseStep.
func dotBytes(a []int16, b []int8) int32 { return dotAVX2(&a[0], &b[0], len(b)) }

//go:noescape
func dotAVX2(a *int16, b *int8, n int) int32
