//go:build before_1_20

package main

import "fmt"

// A reply to ADD or DEL before 1.20: one address of each family.
type reply interface {
	GetSuccess() bool
	GetIPv4Addr() string
	GetIPv6Addr() string
	GetDeviceNumber() int32
}

func describe(reply reply) string {
	if !reply.GetSuccess() {
		return "none"
	}
	return fmt.Sprintf("%s%s device %d", reply.GetIPv4Addr(), reply.GetIPv6Addr(), reply.GetDeviceNumber())
}
