package cli

import (
	"cmp"
	"context"
	"flag"

	"recollect/backend/api"
	"recollect/backend/engine"
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
	var out api.Selftest
	if err := client.Do(ctx, "POST", "/api/selftest", api.SelftestRun{Model: in.model}, &out); err != nil {
		return err
	}
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
