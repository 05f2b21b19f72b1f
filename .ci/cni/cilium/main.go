// Command cilium-agent-api answers what cilium-cni asks of Cilium's agent in mode delegated-plugin. Where
// that agent loads programs into the kernel, it sets ordinary routes, so that pods reach each other.
//
//	cilium-agent-api SOCKET ADDRESS...   the node's own address of each family that pods have
//
// It runs in the network namespace of the node, as root, and needs the command ip.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"net"
	"net/http"
	"net/netip"
	"os"
	"os/exec"
	"strings"
	"sync"
)

type object = map[string]any

// endpoint is a pod as cilium-cni announces it.
type endpoint struct {
	Container  string            `json:"container-id"`
	Interface  string            `json:"container-interface-name"`
	HostLink   string            `json:"interface-name"`
	Addressing map[string]string `json:"addressing"`
	Datapath   struct {
		ExternalIPAM bool `json:"external-ipam"`
	} `json:"datapath-configuration"`
}

type agent struct {
	node map[string]netip.Addr // by family: "ipv4", "ipv6"

	mutex     sync.Mutex
	endpoints map[string]bool // ids of those that exist
}

func main() {
	if len(os.Args) < 3 {
		log.Fatal("usage: cilium-agent-api SOCKET ADDRESS...")
	}
	a := &agent{node: map[string]netip.Addr{}, endpoints: map[string]bool{}}
	for _, text := range os.Args[2:] {
		address := netip.MustParseAddr(text)
		if address.Is4() {
			a.node["ipv4"] = address
		} else {
			a.node["ipv6"] = address
		}
	}
	listener, err := net.Listen("unix", os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	http.HandleFunc("GET /v1/healthz", func(w http.ResponseWriter, r *http.Request) {
		answer(w, http.StatusOK, object{})
	})
	http.HandleFunc("GET /v1/config", a.config)
	http.HandleFunc("PUT /v1/endpoint/{id}", a.create)
	http.HandleFunc("DELETE /v1/endpoint/{id}", a.delete)
	http.HandleFunc("GET /v1/endpoint/{id}/healthz", a.health)
	log.Fatal(http.Serve(listener, nil))
}

func answer(w http.ResponseWriter, status int, value any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(value)
}

func (a *agent) config(w http.ResponseWriter, r *http.Request) {
	addressing := object{}
	for family, address := range a.node {
		addressing[family] = object{"enabled": true, "ip": address}
	}
	answer(w, http.StatusOK, object{"status": object{"ipam-mode": "delegated-plugin",
		"datapathMode": "veth", "deviceMTU": 1500, "routeMTU": 1500, "addressing": addressing}})
}

func (a *agent) create(w http.ResponseWriter, r *http.Request) {
	var pod endpoint
	err := json.NewDecoder(r.Body).Decode(&pod)
	switch {
	case err == nil && !pod.Datapath.ExternalIPAM:
		err = fmt.Errorf("the addresses are not those of a delegated plugin")
	case err == nil:
		err = a.connect(pod)
	}
	if err != nil {
		log.Print(err)
		answer(w, http.StatusBadRequest, err.Error())
		return
	}
	a.mutex.Lock()
	defer a.mutex.Unlock()
	a.endpoints["cni-attachment-id:"+pod.Container+":"+pod.Interface] = true
	answer(w, http.StatusCreated, object{})
}

// connect makes the node the gateway of the pod's link, and leads the pod's addresses there.
func (a *agent) connect(pod endpoint) error {
	for family, node := range a.node {
		prefix, err := netip.ParsePrefix(pod.Addressing[family])
		if err != nil {
			return err
		}
		own := netip.PrefixFrom(node, node.BitLen()).String()
		for _, command := range []string{
			"link set " + pod.HostLink + " up",
			"address add " + own + " dev " + pod.HostLink + " nodad",
			"route add " + prefix.Addr().String() + " dev " + pod.HostLink,
		} {
			if node.Is4() {
				command = strings.TrimSuffix(command, " nodad")
			}
			if out, err := exec.Command("ip", strings.Fields(command)...).CombinedOutput(); err != nil {
				return fmt.Errorf("ip %s: %s", command, out)
			}
		}
	}
	return nil
}

func (a *agent) delete(w http.ResponseWriter, r *http.Request) {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	id := r.PathValue("id")
	if !a.endpoints[id] {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	delete(a.endpoints, id)
	w.WriteHeader(http.StatusOK)
}

func (a *agent) health(w http.ResponseWriter, r *http.Request) {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	if !a.endpoints[r.PathValue("id")] {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	answer(w, http.StatusOK, object{"overallHealth": "OK"})
}
