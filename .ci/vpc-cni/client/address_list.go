//go:build !before_1_20

package main

import (
	"fmt"
	"strings"

	"github.com/aws/amazon-vpc-cni-k8s/rpc"
)

// A reply to ADD or DEL from 1.20: a list of addresses.
type reply interface {
	GetSuccess() bool
	GetIPAllocationMetadata() []*rpc.IPAllocationMetadata
}

func describe(reply reply) string {
	if !reply.GetSuccess() {
		return "none"
	}
	var parts []string
	for _, each := range reply.GetIPAllocationMetadata() {
		parts = append(parts, fmt.Sprintf("%s%s device %d table %d",
			each.GetIPv4Addr(), each.GetIPv6Addr(), each.GetDeviceNumber(), each.GetRouteTableId()))
	}
	return strings.Join(parts, ", ")
}
