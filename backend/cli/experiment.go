package cli

import (
	"context"
	"flag"
	"fmt"
	"os"
	"strings"

	"recollect/backend/experiment"
	"recollect/backend/memory"
	"recollect/backend/recall"
)

// The experiments.
const (
	experimentForget     = "forget"
	experimentStrategies = "strategies"
)

func experimentCommand() command {
	return command{
		name: "experiment", arguments: true,
		flags: func(set *flag.FlagSet, in *invocation) {
			set.IntVar(&in.experiment.turns, "turns", 100, in.words.flags["turns"])
			set.StringVar(&in.experiment.chat, "chat", "", in.words.flags["chat"])
			set.StringVar(&in.model, "model", experiment.NoModel, in.words.flags["experiment model"])
			set.StringVar(&in.experiment.embedder, "embedder", noEmbedder, in.words.flags["experiment embedder"])
		},
		run: runExperiment,
	}
}

// experimentFlags are those of experiment.
type experimentFlags struct {
	turns          int
	chat, embedder string
}

// runExperiment shows what memory is good for. Without a model it needs neither the database nor the engine.
func runExperiment(ctx context.Context, in *invocation) error {
	name := ""
	if len(in.args) == 1 {
		name = in.args[0]
	}
	if name != experimentForget && name != experimentStrategies {
		return usageError{in.words.oneExperiment}
	}
	for flag, of := range map[string]string{"turns": experimentForget, "chat": experimentStrategies, "embedder": experimentStrategies} {
		if in.given[flag] && name != of {
			return usageError{fmt.Sprintf(in.words.otherExperiment, flag, of)}
		}
	}
	if t := in.experiment.turns; t < 1 || t > experiment.MaxTurns {
		return usageError{fmt.Sprintf(in.words.costWhole, "--turns", "1", grouped(experiment.MaxTurns), fmt.Sprint(t))}
	}
	chat := experiment.BuiltIn()
	if in.experiment.chat != "" {
		var err error
		if chat, err = readChat(in.experiment.chat); err != nil {
			return err
		}
	}
	models, done, err := in.experimentModels(ctx)
	if err != nil {
		return err
	}
	defer done()
	if name == experimentForget {
		f, err := experiment.Forget(ctx, experiment.ForgetOptions{
			Turns: in.experiment.turns, Model: models.chat, Engine: models.engine,
			Progress: func(n, total int, mode experiment.Mode, turn int) {
				in.draw(fmt.Sprintf(in.words.experimenting, in.words.modes[mode], turn, n*100/total))
			},
		})
		in.draw("")
		switch {
		case err != nil:
			return err
		case in.json:
			return in.printJSON(f)
		}
		in.printForgotten(f)
		return nil
	}
	c, err := experiment.Compare(ctx, experiment.CompareOptions{
		Chat: chat, Model: models.chat, Engine: models.engine, Embeds: models.embeds, Embedder: models.embedder,
		Progress: func(s memory.Strategy, turn, turns int) {
			in.draw(fmt.Sprintf(in.words.experimenting, in.words.strategies[s], turn, turn*100/turns))
		},
	})
	in.draw("")
	switch {
	case err != nil:
		return err
	case in.json:
		return in.printJSON(c)
	}
	in.printCompared(c)
	return nil
}

func readChat(path string) (experiment.Chat, error) {
	f, err := os.Open(path)
	if err != nil {
		return experiment.Chat{}, memory.Errorf(memory.ENOTFOUND, "read the chat", "%w", err)
	}
	defer f.Close()
	return experiment.ReadChat(f)
}

// experimentModels are the models that an experiment uses; zero fields are none.
type experimentModels struct {
	chat     string
	engine   experiment.Engine
	embeds   string
	embedder recall.Embedder
}

// experimentModels returns the models that --model and --embedder name, with the engine that has them. Without any it needs no
// engine.
func (in *invocation) experimentModels(ctx context.Context) (m experimentModels, done func(), err error) {
	if in.model == experiment.NoModel && in.experiment.embedder == noEmbedder {
		return m, func() {}, nil
	}
	client, release, err := in.connect(ctx)
	if err != nil {
		return m, nil, err
	}
	watch, stop := context.WithCancel(ctx)
	end := func() { stop(); release() }
	defer func() {
		if err != nil {
			end()
		}
	}()
	e, err := in.openEngine(watch, client)
	if err != nil {
		return m, nil, err
	}
	if in.model != experiment.NoModel {
		chat, err := chatModel(ctx, client, e, in.model)
		if err != nil {
			return m, nil, err
		}
		m.chat, m.engine = chat.Name, e
	}
	if in.experiment.embedder != noEmbedder {
		embeds, err := embeddingModel(ctx, client, e, in.experiment.embedder)
		if err != nil {
			return m, nil, err
		}
		m.embeds, m.embedder = embeds.Name, e
	}
	return m, end, nil
}

func (in *invocation) printForgotten(f experiment.Forgotten) {
	w := in.words
	in.printf(w.forgetHead, w.modelName(f.Model), grouped(f.Window))
	in.printf("%s", column(w.forgetTurn, 8))
	for _, m := range experiment.Modes {
		in.printf("%s", column(w.modes[m], 24))
	}
	in.printf("\n")
	cellsOf := map[experiment.Mode]string{}
	for i, r := range f.Rows {
		mark := w.notThere
		if r.Available {
			mark = w.there
		}
		cellsOf[r.Mode] = fmt.Sprintf(w.forgetCell, mark, r.DigitsKept, grouped(r.PromptTokens))
		if i+1 < len(f.Rows) && f.Rows[i+1].Turn == r.Turn {
			continue
		}
		in.printf("%s", column(grouped(r.Turn), 8))
		for _, m := range experiment.Modes {
			in.printf("%s", column(cellsOf[m], 24))
		}
		in.printf("\n")
	}
	in.printf("%s\n", w.forgetFoot)
}

func (in *invocation) printCompared(c experiment.Compared) {
	w := in.words
	finds := w.recallByWords
	if c.Embedder != "" {
		finds = fmt.Sprintf(w.recallBy, c.Embedder)
	}
	in.printf(w.compareHead, c.Turns, grouped(c.WholeTokens), w.modelName(c.Model), grouped(c.Window), finds)
	for _, r := range c.Rows {
		in.printf(w.compareRow, w.strategies[r.Strategy], grouped(r.PromptTokens), r.Saved, r.ReferenceSave.Low, r.ReferenceSave.High,
			r.Retained, r.ReferenceKeep, r.RetainedRecall, r.DelayMs, fmt.Sprintf(w.calls[r.ModelCalls == 1], r.ModelCalls), r.ModelCost, r.Faster)
		if r.Used != r.Strategy {
			in.printf(w.compareUsed, w.strategies[r.Used])
		}
	}
	in.printf(w.compareFoot, c.Speeds.Read, c.Speeds.Write, c.Speeds.Answer)
}

// modelName is a model's name, or that there is none.
func (w *words) modelName(name string) string {
	if name == experiment.NoModel {
		return w.withoutModel
	}
	return strings.TrimSpace(name)
}
