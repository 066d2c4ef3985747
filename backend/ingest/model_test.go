package ingest

import (
	"strings"
	"testing"
)

const (
	lease = `The lease of the workshop in Bremen runs until 31 May 2028. The rent is 1,200 euros a month, due on the third day. Ada Winter keeps the
keys; the boiler must be serviced each October by a plumber. Pets are allowed after asking the owner, Mr Brandt. Whoever leaves gives notice
three months before. The deposit of 3,600 euros is paid back within six weeks.`
	zhLease = `本租约为不来梅的工作室，租期到2028年5月31日为止。每月租金为1200欧元，于每月3日支付。钥匙由阿达·温特保管，锅炉必须在每年十月由水管工检修。
经房东勃兰特先生同意后可以养宠物。退租须提前三个月通知，押金3600欧元在六周内退还。`
	deLease = `Der Mietvertrag der Werkstatt in Bremen läuft bis zum 31. Mai 2028. Die Miete beträgt 1.200 Euro im Monat und ist am dritten Tag fällig.
Ada Winter hat die Schlüssel, und der Kessel muss jedes Jahr im Oktober von einem Klempner gewartet werden. Haustiere sind nach Rücksprache mit dem
Eigentümer erlaubt. Die Kündigungsfrist beträgt drei Monate, und die Kaution von 3.600 Euro wird nicht verzinst.`
)

func TestAModelsSummaryIsChecked(t *testing.T) {
	for _, c := range []struct{ name, text, language, written, want string }{
		{"good", lease, "en", "The lease of a workshop in Bremen until 31 May 2028, for 1,200 euros a month. Ada Winter keeps the keys.", "="},
		{"numbers otherwise written", lease, "en", "A lease of a workshop in Bremen until May 2028. The rent is 1200 euros a month, the deposit 3600.", "="},
		{"around it", lease, "en", "Sure! Here is the summary:\n\n\"The lease of a workshop in Bremen costs 1,200 euros a month.\"", "The lease of a workshop in Bremen costs 1,200 euros a month."},
		{"a label", lease, "en", "**Summary:** The lease of a workshop in Bremen costs 1,200 euros a month.", "The lease of a workshop in Bremen costs 1,200 euros a month."},
		{"fence and points", lease, "en", "```\n- The lease is of a workshop in Bremen.\n- The rent is 1,200 euros.\n```", "The lease is of a workshop in Bremen. The rent is 1,200 euros."},
		{"cut off", lease, "en", "The lease of a workshop in Bremen costs 1,200 euros a month. The keys are with", "The lease of a workshop in Bremen costs 1,200 euros a month."},
		{"Chinese", zhLease, "zh", "这是不来梅一间工作室的租约，租期到2028年5月31日，每月租金1200欧元，押金3600欧元。", "="},
		{"Chinese label", zhLease, "zh", "摘要：这是不来梅工作室的租约，每月租金1200欧元。", "这是不来梅工作室的租约，每月租金1200欧元。"},
		{"German", deLease, "de", "Der Mietvertrag einer Werkstatt in Bremen läuft bis zum 31. Mai 2028, und die Miete beträgt 1.200 Euro. Die Schlüssel hat Ada Winter.", "="},
		{"language not known", lease, "", "The lease of a workshop in Bremen costs 1,200 euros a month.", "="},

		{"empty", lease, "en", " \n", ""},
		{"one word", lease, "en", "Lease.", ""},
		{"never ends", lease, "en", strings.Repeat("the lease and ", 100), ""},
		{"as long as the text", lease, "en", lease + " " + lease, ""},
		{"the question again", lease, "en", "Summarise what stands between the lines. ----- The lease of the workshop.", ""},
		{"refusal", lease, "en", "I'm sorry, but I cannot summarise the lease of the workshop in Bremen.", ""},
		{"in circles", lease, "en", strings.Repeat("The lease is of a workshop in Bremen. ", 5), ""},
		{"an invented number", lease, "en", "The lease of the workshop in Bremen runs until May 2031 for 1,200 euros a month.", ""},
		{"of something else", lease, "en", "This article describes the migration of arctic birds and their feeding grounds in northern Siberia.", ""},
		{"the chat goes on", lease, "en", "Hello! How can I help you today? Would you like to talk about anything?", ""},
		{"Chinese in English", zhLease, "zh", "The lease of a workshop in Bremen until 2028, for 1200 euros a month.", ""},
		{"English in Chinese", lease, "en", "这是不来梅一间工作室的租约，每月租金1200欧元。", ""},
		{"German in English", deLease, "de", "The lease of the workshop in Bremen runs until 31 May 2028, and the rent is 1,200 euros that are due on the third.", ""},
	} {
		want := c.want
		if want == "=" {
			want = c.written
		}
		got, ok := CheckSummary(c.written, c.text, c.language)
		if ok != (want != "") || ok && got != want {
			t.Errorf("%s: %q, %v", c.name, got, ok)
		}
	}
}

func TestASummaryIsAskedForInTheLanguageOfTheDocument(t *testing.T) {
	for language, want := range map[string]string{"en": "in English", "de": "in German", "zh": "概括", "": "in the language of the text", "xx": "Summarise"} {
		if q := SummaryQuestion("Lease", language, lease); !strings.Contains(q, want) || !strings.Contains(q, lease) || !strings.Contains(q, "Lease\n-----\n") || !strings.HasSuffix(q, "\n-----") {
			t.Errorf("%s: %s", language, q)
		}
	}
}
