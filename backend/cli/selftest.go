package cli

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"sync"

	"recollect/backend/api"
	"recollect/backend/engine"
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
	var now engine.Status
	if err := client.Do(ctx, "GET", "/api/engine", nil, &now); err != nil {
		return err
	}
	in.warnOf(now)
	stop := in.tellSelftest(ctx, client)
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
		in.printf("%s\n\n", out.Model)
		for _, r := range out.Results {
			in.printf("%s  %s  %5.1f s  %s\n", column(cmp.Or(in.words.tasks[r.Task], r.Task), 10), column(in.words.outcomes[r.Outcome], 10), float64(r.Millis)/1000, r.Detail)
		}
	}
	for _, r := range out.Results {
		if r.Outcome == selftest.Failed {
			return saidError{ExitFailed}
		}
	}
	return nil
}

// tellSelftest says on the terminal which task is being tried, until the function that it returns is called: a model may
// take minutes for each.
func (in *invocation) tellSelftest(ctx context.Context, client *instance.Client) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	var done sync.WaitGroup
	done.Go(func() {
		for ev, err := range client.Events(ctx, "") {
			if err != nil {
				break // it only tells less then
			}
			task, _ := ev.Data["task"].(string)
			if ev.Type == "selftest.progress" && task != "" {
				number, _ := ev.Data["done"].(float64)
				total, _ := ev.Data["total"].(float64)
				in.draw(fmt.Sprintf(in.words.trying, cmp.Or(in.words.tasks[task], task), int(number)+1, int(total)))
			}
		}
		in.draw("")
	})
	return sync.OnceFunc(func() {
		cancel()
		done.Wait()
	})
}
