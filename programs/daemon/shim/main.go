// Command tidemark-ipam is the CNI IPAM plugin of a node on which `tidemark agent` runs. It hands
// the request over to the agent, as HTTP on a Unix socket, and prints the answer.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"time"
)

const (
	protocol    = "TIDEMARK-CNI/1"
	socket      = "/run/tidemark/agent.sock"
	socketKey   = "TIDEMARK_AGENT_SOCKET"
	limit       = 60 * time.Second
	version     = "1.0.0"
	invalidVars = 4
	undecodable = 6
	tryAgain    = 11
	unavailable = 50
)

type failure struct {
	CniVersion string `json:"cniVersion"`
	Code       int    `json:"code"`
	Msg        string `json:"msg"`
	Details    string `json:"details,omitempty"`
}

func fail(code int, message, details string) {
	text, _ := json.Marshal(failure{version, code, message, details})
	os.Stdout.Write(append(text, '\n'))
	os.Exit(1)
}

// head is the part of the request before the configuration: the variables of the specification.
func head() string {
	var head strings.Builder
	head.WriteString(protocol + "\n")
	for _, name := range []string{"COMMAND", "CONTAINERID", "NETNS", "IFNAME", "ARGS", "PATH"} {
		value, set := os.LookupEnv("CNI_" + name)
		if strings.Contains(value, "\n") {
			fail(invalidVars, "invalid environment variables", "CNI_"+name+" has a line break")
		}
		if set {
			fmt.Fprintf(&head, "CNI_%s=%s\n", name, value)
		}
	}
	return head.String() + "\n"
}

// ask sends the request and returns what to print, and whether it is a result.
func ask(path, request string) ([]byte, bool, error) {
	dial := func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", path)
	}
	client := http.Client{Timeout: limit, Transport: &http.Transport{DialContext: dial}}
	answer, err := client.Post("http://agent/", "text/plain", strings.NewReader(request))
	if err != nil {
		return nil, false, err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		return nil, false, err
	}
	if answer.StatusCode == http.StatusRequestEntityTooLarge {
		fail(undecodable, "failed to decode content",
			fmt.Sprintf("the request of %d bytes is longer than the agent takes", len(request)))
	}
	succeeded := answer.StatusCode == http.StatusOK
	if !succeeded && !json.Valid(text) {
		err = fmt.Errorf("%s", answer.Status)
	}
	return text, succeeded, err
}

func main() {
	command := os.Getenv("CNI_COMMAND")
	if command == "VERSION" {
		fmt.Println(`{"cniVersion":"1.1.0","supportedVersions":["0.3.1","0.4.0","1.0.0","1.1.0"]}`)
		return
	}
	config, err := io.ReadAll(os.Stdin)
	if err != nil {
		fail(tryAgain, "try again later", "the configuration cannot be read: "+err.Error())
	}
	path := os.Getenv(socketKey)
	if path == "" {
		path = socket
	}
	text, succeeded, err := ask(path, head()+string(config))
	if err != nil {
		code, message := tryAgain, "try again later"
		if command == "STATUS" {
			code, message = unavailable, "plugin not available"
		}
		fail(code, message, "the agent at "+path+" does not answer: "+err.Error())
	}
	os.Stdout.Write(text)
	if !succeeded {
		os.Exit(1)
	}
}
