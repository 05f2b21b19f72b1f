package main

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/runtime"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/to"
	"github.com/Azure/azure-sdk-for-go/sdk/resourcemanager/compute/armcompute/v7"
	"github.com/Azure/azure-sdk-for-go/sdk/resourcemanager/network/armnetwork/v8"
)

func (a *azure) writeInterface() {
	before := a.nic("worker-eth0")
	poller := must(a.beginNic("worker-eth0", plus(before, "pod", 2), *before.Etag))
	require(!poller.Done(), "a write has ended at once")
	after := must(poller.PollUntilDone(a.ctx, &runtime.PollUntilDoneOptions{Frequency: 1e9})).Interface
	equal(*after.Properties.ProvisioningState, armnetwork.ProvisioningStateSucceeded, "state after a write")
	equal(len(addresses(after)), 3, "addresses after two more")
	equal(addresses(after)[0], addresses(before)[0], "the primary address")
	require(*after.Etag != *before.Etag, "the etag did not change")

	_, err := a.beginNic("worker-eth0", plus(before, "late", 1), *before.Etag)
	refused(err, http.StatusPreconditionFailed, "PreconditionFailed/PreconditionFailedEtagMismatch")
	_, err = a.beginNic("none", before, *before.Etag)
	refused(err, http.StatusPreconditionFailed, "PreconditionFailed")

	same := a.writeNic("worker-eth0", after, *after.Etag)
	equal(*same.Etag, *after.Etag, "etag after a write that changes nothing")
	after.Properties.IPConfigurations = after.Properties.IPConfigurations[:2]
	fewer := a.writeNic("worker-eth0", after, *after.Etag)
	equal(text(addresses(fewer)), text(addresses(same)[:2]), "addresses after one was released")
}

func (a *azure) writeInstance() {
	before := a.instance("pool", "0")
	poller := must(a.beginInstance("pool", "0", more(before, "pod", 2), *before.Etag))
	require(!poller.Done(), "a write has ended at once")
	after := must(poller.PollUntilDone(a.ctx, &runtime.PollUntilDoneOptions{Frequency: 1e9}))
	equal(*after.Properties.ProvisioningState, "Succeeded", "state after a write")
	require(after.Properties.StorageProfile != nil, "the sections that a write leaves out are gone")
	nic := a.ofInstance("pool", "0")[0]
	equal(len(addresses(*nic)), 3, "addresses after two more")
	equal(*nic.Properties.IPConfigurations[1].Name, "pod-0", "name of a new configuration")

	_, err := a.beginInstance("pool", "0", more(before, "late", 1), *before.Etag)
	refused(err, http.StatusPreconditionFailed, "PreconditionFailed")
	fewer := more(a.instance("pool", "0"), "", 0)
	model := fewer.Properties.NetworkProfileConfiguration.NetworkInterfaceConfigurations[0].Properties
	model.IPConfigurations = model.IPConfigurations[:2]
	a.writeInstanceOf("pool", "0", fewer, *a.instance("pool", "0").Etag)
	released := addresses(*a.ofInstance("pool", "0")[0])
	equal(text(released), text(addresses(*nic)[:2]), "addresses after a release")
}

// writesAtOnce holds a second write while the first goes on, in a world whose shape of the refusal
// is known; the operations are named in as many ways.
func (a *azure) writesAtOnce(shape string) {
	nic, instance := a.nic("worker-eth0"), a.instance("pool", "0")
	first := must(a.beginNic("worker-eth0", plus(nic, "first", 1), *nic.Etag))
	_, err := a.beginNic("worker-eth0", plus(nic, "second", 1), *a.nic("worker-eth0").Etag)
	other := must(a.beginInstance("pool", "0", more(instance, "first", 1), *instance.Etag))
	_, otherErr := a.beginInstance("pool", "0", more(instance, "second", 1), *a.instance("pool", "0").Etag)
	switch shape {
	case "another-operation-429":
		refused(err, http.StatusTooManyRequests, "RetryableErrorDueToAnotherOperation")
		refused(otherErr, http.StatusTooManyRequests, "RetryableErrorDueToAnotherOperation")
	case "not-provisioned-429":
		refused(err, http.StatusTooManyRequests, "RetryableError/ReferencedResourceNotProvisioned")
		refused(otherErr, http.StatusTooManyRequests, "RetryableError/ReferencedResourceNotProvisioned")
	case "in-progress-409":
		refused(err, http.StatusConflict, "AnotherOperationInProgress")
		refused(otherErr, http.StatusConflict, "AnotherOperationInProgress")
	case "concurrent-write-409":
		refused(err, http.StatusConflict, "ConflictingConcurrentWriteNotAllowed")
		refused(otherErr, http.StatusConflict, "ConflictingConcurrentWriteNotAllowed")
	case "preempt":
		check(err)
		check(otherErr)
		_, err = await(a.ctx, first)
		refused(err, http.StatusOK, "OperationPreempted")
		_, err = await(a.ctx, other)
		refused(err, http.StatusOK, "OperationPreempted")
		return
	default:
		fail("no such shape: %s", shape)
	}
	done := must(await(a.ctx, first))
	equal(len(addresses(done.Interface)), 2, "addresses after the first write")
	must(await(a.ctx, other))
	equal(len(addresses(*a.ofInstance("pool", "0")[0])), 2, "addresses of the instance after the first write")
}

func (a *azure) rules() {
	nic := a.nic("worker-eth0")
	etag := *nic.Etag
	for _, each := range []struct {
		code  string
		spoil func(all configurations)
	}{
		{"IpConfigurationsOnSameNicCannotUseDifferentSubnets",
			func(all configurations) {
				all[2].Properties.Subnet.ID = to.Ptr(subnetsID + "small")
			}},
		{"DuplicateResourceName",
			func(all configurations) { all[2].Name = all[1].Name }},
		{"InvalidRequestFormat",
			func(all configurations) { all[2].Properties.Subnet = nil }},
		{"NicCannotHaveMultiplePrimaryIpConfigurations",
			func(all configurations) { all[2].Properties.Primary = to.Ptr(true) }},
		{"ApplicationSecurityGroupsOnIpConfigurationsMustBeSame",
			func(all configurations) {
				all[2].Properties.ApplicationSecurityGroups = []*armnetwork.ApplicationSecurityGroup{
					{ID: to.Ptr(podsID)},
				}
			}},
	} {
		changed := plus(nic, "wrong", 1)
		each.spoil(changed.Properties.IPConfigurations)
		_, err := a.beginNic("worker-eth0", changed, etag)
		refused(err, http.StatusBadRequest, each.code)
	}
	// The machine's other interface has one configuration, this one two: 253 more are the limit.
	_, err := a.beginNic("worker-eth0", plus(nic, "many", 254), etag)
	refused(err, http.StatusBadRequest, "IpConfigurationCountExceedsLimit")
	full := a.writeNic("worker-eth0", plus(nic, "many", 253), etag)
	equal(len(addresses(full)), 255, "addresses of a full machine")
	a.writeNic("worker-eth0", nic, *full.Etag)
	_, err = a.beginInstance("pool", "1", more(a.instance("pool", "1"), "many", 256), "*")
	refused(err, http.StatusBadRequest, "IpConfigurationCountExceedsLimit")
	equal(*a.instance("pool", "1").Etag, `"1"`, "etag after a refusal")
}

// ---- how bodies are made

// plus is the interface with more configurations as the first one has them.
func plus(nic networkInterface, name string, count int) networkInterface {
	properties := *nic.Properties
	properties.IPConfigurations = append(configurations{}, properties.IPConfigurations...)
	first := properties.IPConfigurations[0].Properties
	for i := range count {
		properties.IPConfigurations = append(properties.IPConfigurations, &configuration{
			Name: to.Ptr(fmt.Sprintf("%s-%d", name, i)),
			Properties: &armnetwork.InterfaceIPConfigurationPropertiesFormat{
				Subnet:                    &armnetwork.Subnet{ID: first.Subnet.ID},
				ApplicationSecurityGroups: first.ApplicationSecurityGroups,
			},
		})
	}
	nic.Properties = &properties
	return nic
}

// more is the smallest body that gives the first interface of an instance more configurations.
func more(instance setInstance, name string, count int) setInstance {
	model := instance.Properties.NetworkProfileConfiguration.NetworkInterfaceConfigurations[0]
	properties := *model.Properties
	properties.IPConfigurations = append([]*modelled{}, properties.IPConfigurations...)
	first := properties.IPConfigurations[0].Properties
	for i := range count {
		properties.IPConfigurations = append(properties.IPConfigurations, &modelled{
			Name: to.Ptr(fmt.Sprintf("%s-%d", name, i)),
			Properties: &armcompute.VirtualMachineScaleSetIPConfigurationProperties{
				Subnet:                    first.Subnet,
				ApplicationSecurityGroups: first.ApplicationSecurityGroups,
				PrivateIPAddressVersion:   to.Ptr(armcompute.IPVersionIPv4),
			},
		})
	}
	return setInstance{
		Location: to.Ptr(location),
		Properties: &armcompute.VirtualMachineScaleSetVMProperties{
			NetworkProfileConfiguration: &armcompute.VirtualMachineScaleSetVMNetworkProfileConfiguration{
				NetworkInterfaceConfigurations: []*armcompute.VirtualMachineScaleSetNetworkConfiguration{
					{Name: model.Name, Properties: &properties},
				},
			},
		},
	}
}

func (a *azure) beginNic(name string, nic networkInterface, etag string) (*nicPoller, error) {
	return a.nics.BeginCreateOrUpdate(ifMatch(a.ctx, etag), group, name, nic, nil)
}

// writeNic is a write and all that goes on after it.
func (a *azure) writeNic(name string, nic networkInterface, etag string) networkInterface {
	return must(await(a.ctx, must(a.beginNic(name, nic, etag)))).Interface
}

func (a *azure) beginInstance(set, number string, body setInstance, etag string) (*instancePoller, error) {
	return a.setMachines.BeginUpdate(a.ctx, group, set, number, body,
		&armcompute.VirtualMachineScaleSetVMsClientBeginUpdateOptions{IfMatch: &etag})
}

func (a *azure) writeInstanceOf(set, number string, body setInstance, etag string) {
	must(await(a.ctx, must(a.beginInstance(set, number, body, etag))))
}

func addresses(nic networkInterface) []string {
	var found []string
	for _, each := range nic.Properties.IPConfigurations {
		require(each.Properties.PrivateIPAddress != nil, "%s has no address", *each.Name)
		found = append(found, *each.Properties.PrivateIPAddress)
	}
	return found
}

func isBlock(address string) bool {
	return strings.HasSuffix(address, "/28")
}
