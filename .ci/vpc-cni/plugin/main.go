// Takes over a checkpoint with the datastore of the VPC CNI's own daemon, as that daemon does when it
// starts: entries whose pod has no link on this host are dropped, the others placed on the interfaces
// of a file, and the checkpoint written anew. Prints each entry that it took over:
//
//	takeover CHECKPOINT INTERFACES
package main

import (
	"encoding/json"
	"fmt"
	"net"
	"os"
	"sort"
	"strings"

	"github.com/aws/amazon-vpc-cni-k8s/pkg/ipamd/datastore"
	"github.com/aws/amazon-vpc-cni-k8s/pkg/utils/logger"
)

type node struct {
	Interfaces []struct {
		ID        string
		Device    int
		Subnet    string
		Addresses []string
		Prefixes  []string
	}
}

func main() {
	if len(os.Args) != 3 {
		check(fmt.Errorf("expected a checkpoint and a file of interfaces"))
	}
	log := logger.New(&logger.Configuration{LogLevel: "WARN", LogLocation: "stderr"})
	store := datastore.NewDataStore(log, datastore.NewJSONFile(os.Args[1]), false, 0)
	ipv6 := fill(store, os.Args[2])
	check(store.ReadBackingStore(ipv6))
	var lines []string
	for _, eni := range store.GetENIInfos().ENIs {
		cidrs := eni.AvailableIPv4Cidrs
		if ipv6 {
			cidrs = eni.IPv6Cidrs
		}
		for _, cidr := range cidrs {
			for _, each := range cidr.IPAddresses {
				if each.Assigned() {
					lines = append(lines, fmt.Sprintf("%s %s device %d", each.IPAMKey, each.Address, eni.DeviceNumber))
				}
			}
		}
	}
	sort.Strings(lines)
	for _, line := range lines {
		fmt.Println(line)
	}
}

// fill adds the interfaces of a file; whether it has IPv6 prefixes.
func fill(store *datastore.DataStore, file string) (ipv6 bool) {
	content, err := os.ReadFile(file)
	check(err)
	var read node
	check(json.Unmarshal(content, &read))
	for _, each := range read.Interfaces {
		check(store.AddENI(each.ID, each.Device, each.Device == 0, false, false, each.Device+1, each.Subnet))
		for _, address := range each.Addresses {
			add(store, each.ID, address+"/32", false)
		}
		for _, prefix := range each.Prefixes {
			ipv6 = ipv6 || strings.Contains(prefix, ":")
			add(store, each.ID, prefix, true)
		}
	}
	return ipv6
}

func add(store *datastore.DataStore, eni, text string, isPrefix bool) {
	_, cidr, err := net.ParseCIDR(text)
	check(err)
	if cidr.IP.To4() == nil {
		check(store.AddIPv6CidrToStore(eni, *cidr, isPrefix))
	} else {
		check(store.AddIPv4CidrToStore(eni, *cidr, isPrefix))
	}
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "takeover:", err)
		os.Exit(1)
	}
}
