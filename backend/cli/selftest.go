package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"sync"

	"recollect/backend/api"
	"recollect/backend/instance"
	"recollect/backend/selftest"
)

func selftestCommand() command {
	return command{
		name: "selftest",
		flags: func(set *flag.FlagSet, in *invocation) {
			set.StringVar(&in.model, "model", "", in.words.flags["selftest model"])
		},
		run: runSelftest,
	}
}

func runSelftest(ctx context.Context, in *invocation) error {
	client, done, err := in.connect(ctx)
	if err != nil {
		return err
	}
	defer done()
	if err := in.prepare(ctx, client); err != nil {
		return err
	}
	told, stop := in.tellSelftest(ctx, client)
	defer stop()
	var out api.Selftest
	if err := client.Do(ctx, "POST", "/api/selftest", api.SelftestRun{Model: in.model}, &out); err != nil {
		return err
	}
	stop()
	if in.json {
		if err := in.printJSON(out); err != nil {
			return err
		}
	} else {
		told(api.SelftestProgress{Model: out.Model, Results: out.Results})
	}
	for _, r := range out.Results {
		if r.Outcome == selftest.Failed {
			return saidError{ExitFailed}
		}
	}
	return nil
}

// tellSelftest prints how each task went as soon as it is known, and on a terminal which one is being tried, since a model may
// take minutes for each; until stop is called. told prints what has not been printed yet.
func (in *invocation) tellSelftest(ctx context.Context, client *instance.Client) (told func(api.SelftestProgress), stop func()) {
	printed := 0
	told = func(p api.SelftestProgress) {
		if printed == 0 && len(p.Results) > 0 {
			in.printf("%s\n\n", p.Model)
		}
		for ; printed < len(p.Results); printed++ {
			r := p.Results[printed]
			in.printf("%s  %s  %5.1f s  %s\n", column(cmp.Or(in.words.tasks[r.Task], r.Task), 10), column(in.words.outcomes[r.Outcome], 10), float64(r.Millis)/1000, r.Detail)
		}
	}
	ctx, cancel := context.WithCancel(ctx)
	var done sync.WaitGroup
	done.Go(func() {
		for ev, err := range client.Events(ctx, "") {
			if err != nil {
				break // it only tells less then
			}
			if ev.Type != "selftest.progress" {
				continue
			}
			var p api.SelftestProgress
			raw, err := json.Marshal(ev.Data)
			if err == nil {
				err = json.Unmarshal(raw, &p)
			}
			if err != nil {
				break
			}
			in.draw("")
			if !in.json {
				told(p)
			}
			if p.Task != "" {
				in.draw(fmt.Sprintf(in.words.trying, cmp.Or(in.words.tasks[p.Task], p.Task), p.Done+1, p.Total, p.LimitS))
			}
		}
		in.draw("")
	})
	return told, sync.OnceFunc(func() {
		cancel()
		done.Wait()
	})
}
