// Asks an ipamd through the client that the VPC CNI generated for its own plugin, and prints each
// answer as a line:
//
//	client ADDRESS add VERSION CONTAINER ...   what each pod was given, or "none"
//	client ADDRESS del VERSION CONTAINER ...   what each pod had
//	client ADDRESS config                      what an agent of network policies is told
//	client ADDRESS health SERVICE
//
// Several pods are asked for at once, each over a connection of its own as the plugin has it. An error
// is printed as its code and text. What is right is known to the caller: the exit code is 0 whatever
// the answers are.
package main

import (
	"context"
	"fmt"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/aws/amazon-vpc-cni-k8s/rpc"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/emptypb"
)

const longest = 20 * time.Second

func main() {
	arguments := os.Args[1:]
	if len(arguments) < 2 {
		fail(fmt.Errorf("expected an address, a command and its arguments"))
	}
	address, command, rest := arguments[0], arguments[1], arguments[2:]
	switch {
	case command == "add" && len(rest) >= 2:
		atOnce(rest[1:], func(container string) string {
			return ask(address, func(c client) string { return c.add(rest[0], container) })
		})
	case command == "del" && len(rest) >= 2:
		atOnce(rest[1:], func(container string) string {
			return ask(address, func(c client) string { return c.del(rest[0], container) })
		})
	case command == "config" && len(rest) == 0:
		fmt.Println(ask(address, client.config))
	case command == "health" && len(rest) == 1:
		fmt.Println(ask(address, func(c client) string { return c.health(rest[0]) }))
	default:
		fail(fmt.Errorf("unknown command %v", arguments[1:]))
	}
}

// atOnce prints a line for each container, in order.
func atOnce(containers []string, ask func(container string) string) {
	lines := make([]string, len(containers))
	var running sync.WaitGroup
	for i, container := range containers {
		running.Go(func() { lines[i] = ask(container) })
	}
	running.Wait()
	fmt.Println(strings.Join(lines, "\n"))
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "client:", err)
	os.Exit(1)
}

type client struct {
	ctx        context.Context
	connection *grpc.ClientConn
}

func ask(address string, question func(client) string) string {
	connection, err := grpc.NewClient(address, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		fail(err)
	}
	defer connection.Close()
	ctx, cancel := context.WithTimeout(context.Background(), longest)
	defer cancel()
	return question(client{ctx, connection})
}

func (c client) add(version, container string) string {
	reply, err := rpc.NewCNIBackendClient(c.connection).AddNetwork(c.ctx, &rpc.AddNetworkRequest{
		ClientVersion:              version,
		K8S_POD_NAME:               container,
		K8S_POD_NAMESPACE:          "default",
		K8S_POD_INFRA_CONTAINER_ID: container,
		ContainerID:                container,
		IfName:                     "eth0",
		NetworkName:                "aws-cni",
		Netns:                      "/run/netns/" + container,
	})
	if err != nil {
		return failure(err)
	}
	return describe(reply)
}

func (c client) del(version, container string) string {
	reply, err := rpc.NewCNIBackendClient(c.connection).DelNetwork(c.ctx, &rpc.DelNetworkRequest{
		ClientVersion:              version,
		K8S_POD_NAME:               container,
		K8S_POD_NAMESPACE:          "default",
		K8S_POD_INFRA_CONTAINER_ID: container,
		ContainerID:                container,
		IfName:                     "eth0",
		NetworkName:                "aws-cni",
		Reason:                     "PodDeleted",
	})
	if err != nil {
		return failure(err)
	}
	return describe(reply)
}

func (c client) config() string {
	reply, err := rpc.NewConfigServerBackendClient(c.connection).
		GetNetworkPolicyConfigs(c.ctx, &emptypb.Empty{})
	if err != nil {
		return failure(err)
	}
	return fmt.Sprintf("network policy mode %q", reply.GetNetworkPolicyMode())
}

func (c client) health(service string) string {
	reply, err := grpc_health_v1.NewHealthClient(c.connection).
		Check(c.ctx, &grpc_health_v1.HealthCheckRequest{Service: service})
	if err != nil {
		return failure(err)
	}
	return reply.GetStatus().String()
}

func failure(err error) string {
	return fmt.Sprintf("%s: %s", status.Code(err), status.Convert(err).Message())
}
