package memory

import (
	"strings"
	"time"
)

// Limits of facts.
const (
	MaxFactValueChars = 500 // of a fact's value
	MaxFactKeyChars   = 100 // of its key, and of its subject
)

// SubjectUser is the subject of facts about the user themselves.
const SubjectUser = "user"

// Fact is one keyed value: something that is true of the user, or of a person, a pet or a thing of theirs, with the time
// it became true and, once it is over or replaced, until when and by what. Facts about the same single-valued thing form a
// chain in the order in which they were said, or take effect where that is later: of "from January I work at Bosch". Only one
// of it is true at a time.
type Fact struct {
	ID         string    `json:"id"`
	AgentID    string    `json:"agent_id"`
	Subject    string    `json:"subject"` // SubjectUser, else the noun that was said: "sister", "bicycle", 猫
	Key        string    `json:"key"`     // "home", "likes", or an attribute as it was said: "interest rate"
	Value      string    `json:"value"`   //
	Many       bool      `json:"many"`    // others of the same key stand beside it
	ValidFrom  time.Time `json:"valid_from,omitzero"`
	ValidTo    time.Time `json:"valid_to,omitzero"`     // when it was, or will be, over or replaced; zero = no end is known
	ReplacedBy string    `json:"replaced_by,omitempty"` // id of the fact that took its place
	EndedAt    time.Time `json:"ended_at,omitzero"`     // when it is over, as said or set; ValidTo follows from it or from ReplacedBy

	SaidAt      time.Time `json:"said_at"`               // date of the message; orders the chain
	ConfirmedAt time.Time `json:"confirmed_at,omitzero"` // when the same was said last
	Origin      string    `json:"origin"`                // id of the message it came from, "" when written by hand
	Start       int       `json:"start"`                 // range of characters in that message, [Start, End)
	End         int       `json:"end"`
	Actor       Actor     `json:"actor"`
	Confidence  float64   `json:"confidence"` // 0 to 1
	Pinned      bool      `json:"pinned"`     // what contradicts it becomes a question
	Version     int       `json:"version"`
	DeletedAt   time.Time `json:"deleted_at,omitzero"` // deleted with undo
	CreatedAt   time.Time `json:"created_at"`
	UpdatedAt   time.Time `json:"updated_at"`

	OriginConversation string `json:"origin_conversation,omitempty"` // the conversation of Origin; filled on reading
	EndSaid            bool   `json:"end_said,omitempty"`            // EndedAt is when it was said to be over: since when is not known; filled on reading
}

// Current reports whether the fact is true at the time now.
func (f *Fact) Current(now time.Time) bool {
	return f.DeletedAt.IsZero() && !f.begins(now) && (f.ValidTo.IsZero() || f.ValidTo.After(now))
}

// Coming reports whether the fact becomes true only after the time now.
func (f *Fact) Coming(now time.Time) bool {
	return f.DeletedAt.IsZero() && f.begins(now) && (f.ValidTo.IsZero() || f.ValidTo.After(f.ValidFrom))
}

// begins reports whether the fact begins after now, as it was said to. A clock that was ahead when it was said makes no plan.
func (f *Fact) begins(now time.Time) bool {
	return f.ValidFrom.After(now) && f.ValidFrom.After(f.SaidAt)
}

// Heard returns when the fact was said last.
func (f *Fact) Heard() time.Time {
	if f.ConfirmedAt.After(f.SaidAt) {
		return f.ConfirmedAt
	}
	return f.SaidAt
}

// Effect returns when the fact takes its place in the chain: when it was said last, or begins where that is later.
func (f *Fact) Effect() time.Time {
	if heard := f.Heard(); f.ValidFrom.Before(heard) {
		return heard
	}
	return f.ValidFrom
}

// Text returns a fact in words: "home = Lyon", "sister: home = Bern".
func (f *Fact) Text() string {
	text := f.Key + " = " + f.Value
	if f.Subject != SubjectUser {
		text = f.Subject + ": " + text
	}
	return text
}

// FactStatement is a fact as a message states it.
type FactStatement struct {
	Subject    string    `json:"subject"`
	Key        string    `json:"key"`
	Value      string    `json:"value"`
	Many       bool      `json:"many"`
	Over       bool      `json:"over,omitempty"` // it is no longer true
	ValidFrom  time.Time `json:"valid_from,omitzero"`
	EndedAt    time.Time `json:"ended_at,omitzero"` // when it was, or will be, over, where that was said
	SaidAt     time.Time `json:"said_at"`
	Origin     string    `json:"origin"`
	Start      int       `json:"start"`
	End        int       `json:"end"`
	Confidence float64   `json:"confidence"`

	// Denied says that Over was said of something as not true, which tells nothing of what was true before: "I don't live in
	// Munich". It ends what is known, and is nothing to know by itself.
	Denied bool `json:"-"`
	// Any says that what is over is whatever is known: "I quit my job". It ends that, and is nothing to know by itself.
	Any bool `json:"-"`
	// Against is the line that says otherwise and that is not renewed without asking: of a pinned block, or of one without room.
	Against *BlockLine `json:"-"`
}

// BlockLine is a line of a block.
type BlockLine struct {
	BlockID string `json:"block_id"`
	Label   string `json:"label"`
	Line    string `json:"line"`
	Full    bool   `json:"full,omitempty"` // it is not pinned, but the block has no room for what would take the line's place
}

// FactChange is a partial update of a fact by hand: nil fields stay. Ended true says that it is over as of now, or as of
// EndedAt, false that it is not.
type FactChange struct {
	Subject   *string    `json:"subject,omitempty"`
	Key       *string    `json:"key,omitempty"`
	Value     *string    `json:"value,omitempty"`
	ValidFrom *time.Time `json:"valid_from,omitempty"`
	Ended     *bool      `json:"ended,omitempty"`
	EndedAt   *time.Time `json:"ended_at,omitempty"`
	Pinned    *bool      `json:"pinned,omitempty"`
	IfVersion int        `json:"if_version,omitempty"`
}

// Apply returns f with the change made at the given time. Version and what follows from the chain are left to the store.
func (c FactChange) Apply(f Fact, now time.Time) Fact {
	set(&f.Subject, c.Subject)
	set(&f.Key, c.Key)
	set(&f.Value, c.Value)
	set(&f.ValidFrom, c.ValidFrom)
	set(&f.Pinned, c.Pinned)
	set(&f.EndedAt, c.EndedAt)
	switch {
	case c.Ended == nil:
	case !*c.Ended:
		f.EndedAt = time.Time{}
	case f.EndedAt.IsZero():
		f.EndedAt = now
	}
	return f
}

// FactAnswer is how the user decides between what is pinned and what they said.
type FactAnswer string

// The answers.
const (
	AnswerOld  FactAnswer = "old"  // what is pinned stays, what was said is not stored
	AnswerNew  FactAnswer = "new"  // what was said takes its place
	AnswerBoth FactAnswer = "both" // both are true
	AnswerGone FactAnswer = "gone" // nobody's: what was pinned has changed, so that nothing contradicts it any more
)

// FactQuestion asks whether something that the user said is to take the place of something pinned. It waits until it is
// answered.
type FactQuestion struct {
	ID             string        `json:"id"`
	AgentID        string        `json:"agent_id"`
	ConversationID string        `json:"conversation_id"`
	MessageID      string        `json:"message_id"`        // the user message that says it
	FactID         string        `json:"fact_id"`           // the pinned fact, "" where a block is pinned
	Against        *BlockLine    `json:"against,omitempty"` // the line that says otherwise
	Old            string        `json:"old"`               // what is pinned: the fact's value, or the line
	New            FactStatement `json:"new"`               // what was said
	Answer         FactAnswer    `json:"answer"`            // "" = not answered yet
	AnsweredAt     time.Time     `json:"answered_at,omitzero"`
	CreatedAt      time.Time     `json:"created_at"`
}

// Replacement says what took the place of a fact.
type Replacement struct {
	Old Fact `json:"old"`
	New Fact `json:"new"` // the one that is true now; the zero Fact where the old one is over without a successor
}

// ValidateFact returns f as it may be stored: text cleaned, on one line. It fails with EINVALID when a part is empty and
// with ELIMIT when one is too long.
func ValidateFact(f Fact) (Fact, error) {
	const op = "validate fact"
	for _, part := range []struct {
		name  string
		text  *string
		limit int
	}{
		{"the subject", &f.Subject, MaxFactKeyChars}, {"the key", &f.Key, MaxFactKeyChars}, {"the value", &f.Value, MaxFactValueChars},
	} {
		*part.text = strings.Join(strings.Fields(CleanText(*part.text)), " ")
		if Blank(*part.text) {
			return f, Errorf(EINVALID, op, "%s of the fact is empty", part.name)
		}
		if err := within(op, part.name, *part.text, part.limit); err != nil {
			return f, err
		}
	}
	if !f.EndedAt.IsZero() && f.EndedAt.Before(f.ValidFrom) {
		return f, Errorf(EINVALID, op, "the fact would be over before it began")
	}
	return f, nil
}

// ManyValues reports whether a key of a subject holds several values at once. Of some people and pets one has several, and
// so several names.
func ManyValues(subject, key string) bool {
	key, subject = strings.ToLower(key), strings.ToLower(subject)
	if key == "name" {
		return oneOfSeveral[subject] || oneOfSeveral[subject[strings.LastIndexByte(subject, ' ')+1:]]
	}
	return listKeys[key]
}

// listKeys hold several values at once.
var listKeys = wordSet(`likes dislikes allergy avoids condition medication speaks learning hobby pet owns family uses`)

// oneOfSeveral are the people and pets that one may have more than one of.
var oneOfSeveral = wordSet(`brother sister sibling son daughter child kid cousin aunt uncle friend nephew niece twin grandson granddaughter
	grandchild dog cat puppy kitten parrot rabbit hamster horse fish turtle bird pony colleague grandmother grandfather
	哥哥 弟弟 姐姐 妹妹 儿子 女儿 孩子 表哥 表姐 表弟 表妹 堂哥 堂弟 叔叔 阿姨 舅舅 姑姑 朋友 侄子 侄女 狗 猫 兔子 仓鼠 鹦鹉 乌龟 狗狗 猫咪 小狗 小猫`)

func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(words) {
		set[w] = true
	}
	return set
}
