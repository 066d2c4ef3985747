package window

import (
	"recollect/backend/memory"
	"recollect/backend/tokens"
)

// DefaultCoreShare is the share of the window for core memory where no other is set.
const DefaultCoreShare = 0.25

// CoreUsage returns how many tokens blocks take in the window, how many they may take, and those of each block, in the
// order given. Gauge, trigger and API all use these figures. A share of 0 means DefaultCoreShare.
func CoreUsage(blocks []memory.Block, counter tokens.Counter, window int, share float64) (used, budget int, perBlock []int) {
	if share <= 0 {
		share = DefaultCoreShare
	}
	perBlock = make([]int, len(blocks))
	for i, b := range blocks {
		perBlock[i] = counter.Count(blockText(b))
		used += perBlock[i]
	}
	return used, int(share * float64(window)), perBlock
}

// Reserve returns the tokens of a window that are kept for the answer.
func Reserve(window int) int { return min(4096, window/4) }

// RecalledCap returns how many tokens of recalled memory a request takes at most.
func RecalledCap(window int) int { return min(1500, window*15/100) }

// SummaryCap returns how many tokens a summary of what left the window takes at most.
func SummaryCap(window int) int { return min(1500, window/10) }

// ResultCap returns how many tokens of a window the result of one tool takes at most.
func ResultCap(window int) int { return window / 5 }

// margin returns the tokens of a window that are kept free because counts may be wrong.
func margin(window int) int { return (window + 9) / 10 }

// Bounds of DefaultWindow: below the smaller one there is no room for instructions, tools and a talk; a larger one than
// the greater costs minutes of reading on a machine without a graphics card, so it is the user's choice.
const (
	smallestDefault = 4096
	largestDefault  = 32768
)

// DefaultWindow returns the context window to start with, in tokens: the largest power of two from 4,096 to 32,768 whose
// cache takes at most half of memoryBytes, and never more than the model was trained for. kvBytesPerToken is what a
// token takes in the engine's cache, times the number of caches; memoryBytes is what is free beside the model's
// weights. What is not known is 0, and then taken to be modest.
func DefaultWindow(modelContext int, kvBytesPerToken, memoryBytes int64) int {
	window := smallestDefault
	if kvBytesPerToken > 0 {
		for window < largestDefault && int64(window)*2*kvBytesPerToken <= memoryBytes/2 {
			window *= 2
		}
	}
	if modelContext > 0 {
		window = min(window, modelContext)
	}
	return window
}
