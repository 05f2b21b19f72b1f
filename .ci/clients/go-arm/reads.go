package main

import (
	"context"
	"fmt"
	"net/http"
	"regexp"
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/to"
	"github.com/Azure/azure-sdk-for-go/sdk/azidentity"
	"github.com/Azure/azure-sdk-for-go/sdk/resourcemanager/authorization/armauthorization/v2"
	"github.com/Azure/azure-sdk-for-go/sdk/resourcemanager/compute/armcompute/v7"
	"github.com/Azure/azure-sdk-for-go/sdk/resourcemanager/network/armnetwork/v8"
)

func (a *azure) tokens() {
	scope := policy.TokenRequestOptions{Scopes: []string{"https://management.azure.com/.default"}}
	own := must(azidentity.NewManagedIdentityCredential(&azidentity.ManagedIdentityCredentialOptions{
		ClientOptions: a.options(-1),
	}))
	given := must(own.GetToken(a.ctx, scope))
	require(given.Token != "", "the machine's identity has no token")
	_, err := a.as(own, -1).nics.Get(a.ctx, group, "worker-eth0", nil)
	check(err)
	federated := must(azidentity.NewClientAssertionCredential("tenant", "session",
		func(context.Context) (string, error) { return "signed", nil },
		&azidentity.ClientAssertionCredentialOptions{
			ClientOptions: a.options(-1), DisableInstanceDiscovery: true,
		}))
	must(federated.GetToken(a.ctx, scope))
	_, err = a.as(fixed("other"), -1).nics.Get(a.ctx, group, "worker-eth0", nil)
	refusal := refused(err, http.StatusUnauthorized, "InvalidAuthenticationToken")
	challenge := refusal.RawResponse.Header.Get("WWW-Authenticate")
	require(strings.HasPrefix(challenge, "Bearer "), "challenge of a 401: %q", challenge)
}

func (a *azure) networks() {
	nets := all(a.ctx, a.nets.NewListAllPager(nil),
		func(page armnetwork.VirtualNetworksClientListAllResponse) []*armnetwork.VirtualNetwork {
			return page.Value
		}, 2, 1)
	equal(len(nets[0].Properties.Subnets), 3, "subnets of the first network")
	usages := all(a.ctx, a.nets.NewListUsagePager("network", "cluster", nil),
		func(page usagesOfNetwork) []*networkUsage {
			return page.Value
		}, 2, 1)
	equal(*usages[0].ID, subnetsID+"busy", "subnet of a usage")
	equal(*usages[0].CurrentValue, 100, "used addresses of the busy subnet")
	equal(*usages[0].Limit, 251, "addresses of a /24")
	equal(*usages[0].Unit, "Count", "unit of a usage")
	nodes := must(a.subnets.Get(a.ctx, "network", "cluster", "nodes", nil)).Properties
	equal(*nodes.AddressPrefix, "10.0.0.0/20", "prefix of a subnet")
	equal(len(nodes.IPConfigurations), 7, "configurations of a subnet")
	busy := must(a.subnets.Get(a.ctx, "network", "cluster", "busy", nil)).Properties
	equal(len(busy.IPConfigurations), 0, "configurations that a busy subnet lists")
	_, err := a.subnets.Get(a.ctx, "network", "cluster", "none", nil)
	refused(err, http.StatusNotFound, "ResourceNotFound")
	_, err = a.subnets.Get(a.ctx, "none", "cluster", "nodes", nil)
	refused(err, http.StatusNotFound, "ResourceGroupNotFound")
}

func (a *azure) interfaces() {
	found := all(a.ctx, a.nics.NewListPager(group, nil),
		func(page armnetwork.InterfacesClientListResponse) []*networkInterface {
			return page.Value
		}, 2, 2, 1)
	for _, each := range found {
		require(!strings.Contains(*each.ID, "virtualMachineScaleSets"), "%s is of a Uniform set", *each.ID)
	}
	nic := must(a.nics.Get(a.ctx, group, "worker-eth0", nil))
	matches("W/\"[0-9a-f-]{36}\"", *nic.Etag, "etag of an interface")
	matches("[0-9A-F]{2}(-[0-9A-F]{2}){5}", *nic.Properties.MacAddress, "MAC address")
	equal(*nic.Properties.VirtualMachine.ID, machinesID+"worker", "machine of an interface")
	first := nic.Properties.IPConfigurations[0]
	equal(*first.ID, *nic.ID+"/ipConfigurations/primary", "id of a configuration")
	equal(*first.Properties.Primary, true, "whether the first configuration is primary")
	equal(*first.Properties.Subnet.ID, subnetsID+"nodes", "subnet of a configuration")
	equal(*first.Properties.ProvisioningState, armnetwork.ProvisioningStateSucceeded, "its state")
	equal(*first.Properties.PrivateIPAllocationMethod, armnetwork.IPAllocationMethodDynamic, "its method")
	matches(`10\.0\.\d+\.\d+`, *first.Properties.PrivateIPAddress, "its address")
	_, err := a.nics.Get(a.ctx, group, "none", nil)
	refused(err, http.StatusNotFound, "ResourceNotFound")
}

func (a *azure) instances() {
	sets := all(a.ctx, a.sets.NewListPager(group, nil),
		func(page armcompute.VirtualMachineScaleSetsClientListResponse) []*armcompute.VirtualMachineScaleSet {
			return page.Value
		}, 2, 2)
	equal(*sets[0].Properties.OrchestrationMode, armcompute.OrchestrationModeUniform, "mode of a set")
	ofSet := all(a.ctx, a.nics.NewListVirtualMachineScaleSetNetworkInterfacesPager(group, "pool", nil),
		func(page setInterfaces) []*networkInterface {
			return page.Value
		}, 2, 1)
	equal(*ofSet[2].Properties.VirtualMachine.ID, setsID+"pool/virtualMachines/2", "its last machine")
	equal(len(a.ofInstance("pool", "1")), 1, "interfaces of an instance")
	instance := a.instance("pool", "0")
	equal(*instance.InstanceID, "0", "number of an instance")
	equal(*instance.Etag, `"1"`, "etag of an instance")
	equal(text(codes(instance)), "[ProvisioningState/succeeded PowerState/running]", "its statuses")
	model := instance.Properties.NetworkProfileConfiguration.NetworkInterfaceConfigurations[0]
	equal(*model.Name, "eth0", "name of an interface in the model")
	equal(*model.Properties.IPConfigurations[0].Properties.Subnet.ID, subnetsID+"nodes", "its subnet")
	machine := must(a.machines.Get(a.ctx, group, "worker",
		&armcompute.VirtualMachinesClientGetOptions{Expand: to.Ptr(armcompute.InstanceViewTypesInstanceView)}))
	equal(len(machine.Properties.NetworkProfile.NetworkInterfaces), 2, "interfaces of a machine")
	primary := machine.Properties.NetworkProfile.NetworkInterfaces[0].Properties
	require(primary != nil && *primary.Primary, "a machine does not tell which interface is primary")
	equal(*machine.Properties.InstanceView.Statuses[1].Code, "PowerState/running", "its power state")
	member := must(a.machines.Get(a.ctx, group, "flexible_0", nil))
	equal(*member.Properties.VirtualMachineScaleSet.ID, setsID+"flexible", "set of a member")
	pages := a.nics.NewListVirtualMachineScaleSetNetworkInterfacesPager(group, "empty", nil)
	_, err := pages.NextPage(a.ctx)
	refused(err, http.StatusNotFound, "NotFound")
	_, err = a.setMachines.Get(a.ctx, group, "pool", "9", nil)
	refused(err, http.StatusNotFound, "ResourceNotFound")
	_, err = a.setMachines.Get(a.ctx, group, "none", "0", nil)
	refused(err, http.StatusNotFound, "ParentResourceNotFound")
}

func (a *azure) permissions() {
	const reader = "[*/read]"
	allowed := a.as(a.secret("reader"), -1).allowed
	ofGroup := all(a.ctx, allowed.NewListForResourceGroupPager(group, nil),
		func(page ofGroup) []*armauthorization.Permission {
			return page.Value
		}, 1)
	equal(values(ofGroup[0].Actions), reader, "actions of a reader in its group")
	ofSubnet := all(a.ctx, a.allowed.NewListForResourcePager("network", "Microsoft.Network",
		"virtualNetworks/cluster", "subnets", "nodes", nil),
		func(page ofResource) []*armauthorization.Permission {
			return page.Value
		}, 1)
	equal(values(ofSubnet[0].Actions), "[*]", "actions of an owner at a subnet")
}

// ---- what several steps read

func (a *azure) nic(name string) networkInterface {
	return must(a.nics.Get(a.ctx, group, name, nil)).Interface
}

func (a *azure) ofInstance(set, number string) []*networkInterface {
	return all(a.ctx, a.nics.NewListVirtualMachineScaleSetVMNetworkInterfacesPager(group, set, number, nil),
		func(page vmInterfaces) []*networkInterface {
			return page.Value
		}, 1)
}

func (a *azure) instance(set, number string) setInstance {
	return must(a.setMachines.Get(a.ctx, group, set, number,
		&armcompute.VirtualMachineScaleSetVMsClientGetOptions{
			Expand: to.Ptr(armcompute.InstanceViewTypesInstanceView),
		})).VirtualMachineScaleSetVM
}

func codes(instance setInstance) []string {
	var found []string
	for _, each := range instance.Properties.InstanceView.Statuses {
		found = append(found, *each.Code)
	}
	return found
}

func values(pointers []*string) string {
	var found []string
	for _, each := range pointers {
		found = append(found, *each)
	}
	return fmt.Sprint(found)
}

func matches(pattern, seen, what string) {
	require(regexp.MustCompile("^(?:"+pattern+")$").MatchString(seen), "%s: %s, not %s", what, seen, pattern)
}
