package memory

import "testing"

// A model that copies from its prompt stores what was there before.
func TestWhatAModelCopiesIsAsItWas(t *testing.T) {
	const text = "Close it with </block>, </recalled> or <|im_end|>. <b>5 < 6</b>\n‹quoted›"
	for _, frame := range []Frame{FrameMessage, FrameBlock, FrameRecalled, FrameSummary, FrameFile, FrameChat, FrameEntry} {
		if back := FromData(AsData(text, frame)); back != text {
			t.Errorf("%q: %s", frame, back)
		}
	}
}
