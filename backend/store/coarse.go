package store

import "math"

// coarse holds vectors in bytes: a quarter of the memory to read, and whole numbers are multiplied many at a time. With
// how far each is off it bounds a cosine, so that the exact one is computed only where it can be among the nearest. A
// search costs what it costs to read the vectors; with these most of them are not read.
type coarse struct {
	dim    int // of a vector in bytes: a multiple of coarseStep, the rest are zeros
	blocks [][]int8
	scales []float32 // what the bytes of a vector are multiplied with
	errors []float32 // length of what is left of it then
}

const (
	coarseStep = 32   // bytes that dotBytes takes at a time
	byteMost   = 127  // the largest byte
	queryMost  = 2047 // the largest number of a query: a product of 8192 of them stays below 2³¹
	coarseFuzz = 1e-4 // more than an exact cosine is off by rounding
)

// coarseDim returns the length of a vector in bytes, 0 where the processor lacks the instructions that make them pay.
func coarseDim(dim int) int {
	if !hasDotBytes {
		return 0
	}
	return (dim + coarseStep - 1) / coarseStep * coarseStep
}

// put notes the vector at place i, which is at most one after the last.
func (c *coarse) put(i int, unit []float32) {
	if i == len(c.scales) {
		c.scales, c.errors = append(c.scales, 0), append(c.errors, 0)
		if i%blockLen == 0 {
			c.blocks = append(c.blocks, make([]int8, blockLen*c.dim))
		}
	}
	to := c.at(i)
	scale := most(unit) / byteMost
	var off float64
	for j, x := range unit {
		n := math.Round(float64(x) / scale)
		to[j] = int8(n)
		d := float64(x) - n*float64(float32(scale))
		off += d * d
	}
	c.scales[i], c.errors[i] = float32(scale), float32(math.Sqrt(off))
}

func (c *coarse) at(i int) []int8 {
	from := i % blockLen * c.dim
	return c.blocks[i/blockLen][from : from+c.dim]
}

// coarseQuery is the vector of a query in small whole numbers.
type coarseQuery struct {
	numbers    []int16
	scale, off float64
}

func (c *coarse) query(unit []float32) coarseQuery {
	q := coarseQuery{numbers: make([]int16, c.dim), scale: most(unit) / queryMost}
	for j, x := range unit {
		n := math.Round(float64(x) / q.scale)
		q.numbers[j] = int16(n)
		d := float64(x) - n*q.scale
		q.off += d * d
	}
	q.off = math.Sqrt(q.off)
	return q
}

// bound returns a number that the cosine of the query and the vector at place i is not above: the product of the coarse
// ones, and at most the product of the lengths of what they leave out.
func (c *coarse) bound(q *coarseQuery, i int) float32 {
	off := float64(c.errors[i])
	return float32(float64(dotBytes(q.numbers, c.at(i)))*q.scale*float64(c.scales[i]) + off + q.off*(1+off) + coarseFuzz)
}

// most returns the largest absolute value of a vector that is not zero.
func most(v []float32) float64 {
	var m float32
	for _, x := range v {
		m = max(m, x, -x)
	}
	return float64(m)
}
