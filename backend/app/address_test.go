package app

import (
	"net"
	"testing"
)

func TestTheLinkLeadsSomewhere(t *testing.T) {
	cidr := func(s string) net.Addr {
		ip, n, err := net.ParseCIDR(s)
		if err != nil {
			t.Fatal(err)
		}
		n.IP = ip
		return n
	}
	machine := []net.Addr{cidr("127.0.0.1/8"), cidr("::1/128"), cidr("fe80::1/64"), cidr("169.254.3.4/16"), cidr("192.168.1.5/24"), cidr("10.0.0.7/8")}
	for _, c := range []struct {
		bound   string
		machine []net.Addr
		want    string
	}{
		{"127.0.0.1:4711", machine, "127.0.0.1:4711"},
		{"192.168.1.9:4711", machine, "192.168.1.9:4711"},
		{"0.0.0.0:4711", machine, "192.168.1.5:4711"},
		{"[::]:4711", machine, "192.168.1.5:4711"},
		{"0.0.0.0:4711", machine[:3], "127.0.0.1:4711"},
		{"[::]:4711", nil, "127.0.0.1:4711"},
	} {
		if got := reachable(c.bound, c.machine); got != c.want {
			t.Errorf("bound to %s: %s, want %s", c.bound, got, c.want)
		}
	}
}
