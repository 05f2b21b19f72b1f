// The part of an API server that the daemon of the VPC CNI asks for, on 127.0.0.1: one node, its pod of
// the daemon, and events, which are dropped. Runs until it is ended:
//
//	apiserver PORT NODE
package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strings"
)

type object = map[string]any

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "apiserver: expected a port and the name of a node")
		os.Exit(2)
	}
	nodes := resource{"Node", object{
		"apiVersion": "v1", "kind": "Node",
		"metadata": object{"name": os.Args[2], "uid": "1", "resourceVersion": "1"},
		"status":   object{"capacity": object{"pods": "29"}},
	}}
	pods := resource{"Pod", object{
		"apiVersion": "v1", "kind": "Pod",
		"metadata": object{"name": "daemon", "namespace": "kube-system", "uid": "2", "resourceVersion": "1"},
		"spec":     object{"nodeName": os.Args[2], "containers": []any{}},
	}}
	http.HandleFunc("/version", answer(object{"major": "1", "minor": "34", "gitVersion": "v1.34.0"}))
	http.HandleFunc("/api", answer(object{"kind": "APIVersions", "versions": []string{"v1"}}))
	http.HandleFunc("/apis", answer(object{"kind": "APIGroupList", "apiVersion": "v1", "groups": []any{}}))
	http.HandleFunc("/api/v1", answer(object{
		"kind": "APIResourceList", "apiVersion": "v1", "groupVersion": "v1",
		"resources": []object{described("nodes", "Node", false), described("pods", "Pod", true)},
	}))
	http.HandleFunc("/api/v1/nodes", nodes.list)
	http.HandleFunc("/api/v1/nodes/", answer(nodes.only))
	http.HandleFunc("/api/v1/pods", pods.list)
	http.HandleFunc("/apis/events.k8s.io/", answer(object{"kind": "Status", "status": "Success"}))
	fmt.Fprintln(os.Stderr, "apiserver:", http.ListenAndServe("127.0.0.1:"+os.Args[1], nil))
	os.Exit(1)
}

func described(name, kind string, namespaced bool) object {
	return object{"name": name, "kind": kind, "namespaced": namespaced, "verbs": []string{"get", "list", "watch"}}
}

func answer(body object) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { write(w, body) }
}

func write(w http.ResponseWriter, body object) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(body)
}

// resource is a kind of which there is one object, which never changes.
type resource struct {
	kind string
	only object
}

func (r resource) list(w http.ResponseWriter, request *http.Request) {
	query := request.URL.Query()
	if query.Get("watch") == "" || strings.EqualFold(query.Get("watch"), "false") {
		write(w, object{
			"kind": r.kind + "List", "apiVersion": "v1",
			"metadata": object{"resourceVersion": "1"}, "items": []object{r.only},
		})
		return
	}
	if query.Get("sendInitialEvents") == "true" {
		write(w, object{"type": "ADDED", "object": r.only})
		write(w, object{"type": "BOOKMARK", "object": object{
			"kind": r.kind, "apiVersion": "v1",
			"metadata": object{
				"resourceVersion": "1", "annotations": object{"k8s.io/initial-events-end": "true"},
			},
		}})
	}
	w.(http.Flusher).Flush()
	<-request.Context().Done()
}
