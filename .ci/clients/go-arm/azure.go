package main

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/arm"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/cloud"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/runtime"
	"github.com/Azure/azure-sdk-for-go/sdk/azidentity"
	"github.com/Azure/azure-sdk-for-go/sdk/resourcemanager/authorization/armauthorization/v2"
	"github.com/Azure/azure-sdk-for-go/sdk/resourcemanager/compute/armcompute/v7"
	"github.com/Azure/azure-sdk-for-go/sdk/resourcemanager/network/armnetwork/v8"
)

const (
	subscription = "s1"
	group        = "nodes"
	groupID      = "/subscriptions/s1/resourceGroups/nodes"
	subnetsID    = "/subscriptions/s1/resourceGroups/network/providers/Microsoft.Network" +
		"/virtualNetworks/cluster/subnets/"
	machinesID = groupID + "/providers/Microsoft.Compute/virtualMachines/"
	setsID     = groupID + "/providers/Microsoft.Compute/virtualMachineScaleSets/"
	podsID     = groupID + "/providers/Microsoft.Network/applicationSecurityGroups/pods"
	location   = "westeurope"
)

// Short names of what the SDK names at length.
type (
	nicPoller        = runtime.Poller[armnetwork.InterfacesClientCreateOrUpdateResponse]
	instancePoller   = runtime.Poller[armcompute.VirtualMachineScaleSetVMsClientUpdateResponse]
	configuration    = armnetwork.InterfaceIPConfiguration
	configurations   = []*configuration
	modelled         = armcompute.VirtualMachineScaleSetIPConfiguration
	setInstance      = armcompute.VirtualMachineScaleSetVM
	setInterfaces    = armnetwork.InterfacesClientListVirtualMachineScaleSetNetworkInterfacesResponse
	vmInterfaces     = armnetwork.InterfacesClientListVirtualMachineScaleSetVMNetworkInterfacesResponse
	vmPublics        = armnetwork.PublicIPAddressesClientListVirtualMachineScaleSetVMPublicIPAddressesResponse
	ofGroup          = armauthorization.PermissionsClientListForResourceGroupResponse
	ofResource       = armauthorization.PermissionsClientListForResourceResponse
	usagesOfNetwork  = armnetwork.VirtualNetworksClientListUsageResponse
	networkUsage     = armnetwork.VirtualNetworkUsage
	networkInterface = armnetwork.Interface
)

// wire sends what the SDK means for the hosts of a cloud to the emulator, and counts it.
type wire struct {
	base  *url.URL
	mutex sync.Mutex
	calls int
}

func (w *wire) Do(request *http.Request) (*http.Response, error) {
	w.mutex.Lock()
	w.calls++
	w.mutex.Unlock()
	request.Host = request.URL.Host
	request.URL.Scheme, request.URL.Host = w.base.Scheme, w.base.Host
	return http.DefaultClient.Do(request)
}

// azure is one session: the SDK's clients, as the principal "session".
type azure struct {
	ctx      context.Context
	endpoint string
	wire     *wire
	*clients
}

// clients are the SDK's for one principal.
type clients struct {
	nics        *armnetwork.InterfacesClient
	subnets     *armnetwork.SubnetsClient
	nets        *armnetwork.VirtualNetworksClient
	publics     *armnetwork.PublicIPAddressesClient
	prefixes    *armnetwork.PublicIPPrefixesClient
	machines    *armcompute.VirtualMachinesClient
	sets        *armcompute.VirtualMachineScaleSetsClient
	setMachines *armcompute.VirtualMachineScaleSetVMsClient
	allowed     *armauthorization.PermissionsClient
	raw         runtime.Pipeline
}

func open(ctx context.Context, endpoint string) *azure {
	base := must(url.Parse(strings.TrimSuffix(endpoint, "/")))
	a := &azure{ctx: ctx, endpoint: base.String(), wire: &wire{base: base}}
	a.clients = a.as(a.secret("session"), -1)
	return a
}

// cloud is one whose Resource Manager is the emulator; nobody calls its authority.
func (a *azure) cloud() cloud.Configuration {
	return cloud.Configuration{
		ActiveDirectoryAuthorityHost: "https://login.microsoftonline.com/",
		Services: map[cloud.ServiceName]cloud.ServiceConfiguration{
			cloud.ResourceManager: {Audience: "https://management.azure.com", Endpoint: a.endpoint},
		},
	}
}

func (a *azure) options(retries int32) policy.ClientOptions {
	return policy.ClientOptions{
		Cloud:                           a.cloud(),
		InsecureAllowCredentialWithHTTP: true,
		Retry:                           policy.RetryOptions{MaxRetries: retries},
		Transport:                       a.wire,
	}
}

// secret is the credential of an application with a secret.
func (a *azure) secret(client string) azcore.TokenCredential {
	return must(azidentity.NewClientSecretCredential("tenant", client, "unchecked",
		&azidentity.ClientSecretCredentialOptions{
			ClientOptions:            a.options(-1),
			DisableInstanceDiscovery: true,
		}))
}

// as makes the clients of a principal; -1 retries are none.
func (a *azure) as(who azcore.TokenCredential, retries int32) *clients {
	options := &arm.ClientOptions{
		ClientOptions: a.options(retries), DisableRPRegistration: true,
	}
	network := must(armnetwork.NewClientFactory(subscription, who, options))
	compute := must(armcompute.NewClientFactory(subscription, who, options))
	client := must(arm.NewClient("session", "v1.0.0", who, options))
	return &clients{
		nics:        network.NewInterfacesClient(),
		subnets:     network.NewSubnetsClient(),
		nets:        network.NewVirtualNetworksClient(),
		publics:     network.NewPublicIPAddressesClient(),
		prefixes:    network.NewPublicIPPrefixesClient(),
		machines:    compute.NewVirtualMachinesClient(),
		sets:        compute.NewVirtualMachineScaleSetsClient(),
		setMachines: compute.NewVirtualMachineScaleSetVMsClient(),
		allowed:     must(armauthorization.NewPermissionsClient(subscription, who, options)),
		raw:         client.Pipeline(),
	}
}

// admin asks the emulator's administration, not Resource Manager.
func (a *azure) admin(path string, form url.Values) {
	response := must(http.PostForm(a.endpoint+"/_tidemark/"+path, form))
	defer response.Body.Close()
	equal(response.StatusCode, http.StatusOK, "status of POST "+path)
}

// clear ends all faults.
func (a *azure) clear() {
	request := must(http.NewRequest(http.MethodDelete, a.endpoint+"/_tidemark/faults", nil))
	response := must(http.DefaultClient.Do(request))
	defer response.Body.Close()
	equal(response.StatusCode, http.StatusOK, "status of DELETE faults")
}

// all collects the entries of a list, whose pages must have these sizes.
func all[P, E any](ctx context.Context, pager *runtime.Pager[P], of func(P) []*E, sizes ...int) []*E {
	var entries []*E
	var seen []int
	for pager.More() {
		page := of(must(pager.NextPage(ctx)))
		seen = append(seen, len(page))
		entries = append(entries, page...)
	}
	equal(text(seen), text(sizes), "sizes of pages")
	return entries
}

// await polls as long as an operation goes on.
func await[T any](ctx context.Context, poller *runtime.Poller[T]) (T, error) {
	for !poller.Done() {
		time.Sleep(80 * time.Millisecond)
		if _, err := poller.Poll(ctx); err != nil {
			var nothing T
			return nothing, err
		}
	}
	return poller.Result(ctx)
}

// ifMatch makes a write one that holds for this etag alone.
func ifMatch(ctx context.Context, etag string) context.Context {
	return policy.WithHTTPHeader(ctx, http.Header{"If-Match": []string{etag}})
}

// ask sends a request of which the typed clients know nothing, and reads the answer's object.
func (a *azure) ask(method, path, version string, body any) (map[string]any, error) {
	request := must(runtime.NewRequest(a.ctx, method, a.endpoint+path+"?api-version="+version))
	if body != nil {
		check(runtime.MarshalAsJSON(request, body))
	}
	response, err := a.raw.Do(request)
	if err != nil {
		return nil, err
	}
	if !runtime.HasStatusCode(response, http.StatusOK, http.StatusCreated, http.StatusAccepted) {
		return nil, runtime.NewResponseError(response)
	}
	if method == http.MethodPut {
		poller := must(runtime.NewPoller[json.RawMessage](response, a.raw, nil))
		_, err := await(a.ctx, poller)
		return nil, err
	}
	var object map[string]any
	check(runtime.UnmarshalAsJSON(response, &object))
	return object, nil
}
