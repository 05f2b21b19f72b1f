// A session with Azure Resource Manager as a Go program holds it, through the official SDK:
// tokens, every read and write that an address manager needs, page by page and with the SDK's own
// pollers. Every answer is checked; the first wrong one ends the session with exit code 1.
//
//	go run . ENDPOINT            the whole session, in the world of scenario.yaml
//	go run . ENDPOINT SHAPE      only writes at the same time, which SHAPE says how they are refused
package main

import (
	"context"
	"fmt"
	"os"
	"time"
)

func main() {
	if len(os.Args) < 2 || len(os.Args) > 3 {
		fmt.Fprintln(os.Stderr, "usage: go run . ENDPOINT [SHAPE]")
		os.Exit(2)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	azure := open(ctx, os.Args[1])
	if len(os.Args) == 3 {
		azure.writesAtOnce(os.Args[2])
		fmt.Printf("azure-sdk-for-go, %s: %d calls, every answer as expected\n",
			os.Args[2], azure.wire.calls)
		return
	}
	azure.tokens()
	azure.networks()
	azure.interfaces()
	azure.instances()
	azure.permissions()
	azure.writeInterface()
	azure.writeInstance()
	azure.rules()
	azure.blocks()
	azure.fullSubnet()
	azure.publicAddresses()
	azure.failures()
	azure.refusedByRole()
	azure.life()
	azure.throttled()
	fmt.Printf("azure-sdk-for-go: %d calls, every answer as expected\n", azure.wire.calls)
}
