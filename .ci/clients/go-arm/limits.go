package main

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/to"
	"github.com/Azure/azure-sdk-for-go/sdk/resourcemanager/network/armnetwork/v8"
)

func (a *azure) blocks() {
	nic := a.nic("worker-eth1")
	wish := plus(nic, "block", 2)
	wish.Properties.IPConfigurations[1].Properties.PrivateIPAddressPrefixLength = to.Ptr[int32](28)
	mixed := a.writeNic("worker-eth1", wish, *nic.Etag)
	block := mixed.Properties.IPConfigurations[1].Properties
	require(isBlock(*block.PrivateIPAddress), "a block is %s", *block.PrivateIPAddress)
	equal(*block.PrivateIPAddressPrefixLength, 28, "length of a block")
	require(!isBlock(addresses(mixed)[2]), "a single address is %s", addresses(mixed)[2])

	crowded := a.nic("crowded-eth0")
	wish = plus(crowded, "block", 1)
	wish.Properties.IPConfigurations[1].Properties.PrivateIPAddressPrefixLength = to.Ptr[int32](28)
	_, err := a.beginNic("crowded-eth0", wish, *crowded.Etag)
	refused(err, http.StatusBadRequest, "InsufficientCidrBlocks")

	// The typed model of an instance does not know blocks.
	a.putBlock("2026-07-02", "block")
	a.putBlock("2025-04-01", "single")
	found := map[string]string{}
	for _, each := range a.ofInstance("pool", "2")[0].Properties.IPConfigurations {
		found[*each.Name] = *each.Properties.PrivateIPAddress
	}
	require(isBlock(found["block"]), "a block is %s", found["block"])
	require(found["single"] != "" && !isBlock(found["single"]), "no block is %s", found["single"])
}

// putBlock asks for a block on the interface of an instance, with this version of the API.
func (a *azure) putBlock(version, name string) {
	path := setsID + "pool/virtualMachines/2"
	body := must(a.ask(http.MethodGet, path, version, nil))
	profile := body["properties"].(map[string]any)["networkProfileConfiguration"].(map[string]any)
	first := profile["networkInterfaceConfigurations"].([]any)[0].(map[string]any)
	model := first["properties"].(map[string]any)
	model["ipConfigurations"] = append(model["ipConfigurations"].([]any), map[string]any{
		"name": name,
		"properties": map[string]any{
			"privateIPAddressPrefixLength": 28,
			"subnet":                       map[string]any{"id": subnetsID + "nodes"},
			"applicationSecurityGroups":    []any{map[string]any{"id": podsID}},
		},
	})
	must(a.ask(http.MethodPut, path, version, body))
}

func (a *azure) fullSubnet() {
	// Eleven addresses, of which a machine and an instance have one each.
	nic := a.nic("crowded-eth0")
	_, err := a.beginNic("crowded-eth0", plus(nic, "pod", 10), *nic.Etag)
	refused(err, http.StatusBadRequest, "SubnetIsFull")
	full := a.writeNic("crowded-eth0", plus(nic, "pod", 9), *nic.Etag)
	usages := all(a.ctx, a.nets.NewListUsagePager("network", "cluster", nil),
		func(page usagesOfNetwork) []*networkUsage {
			return page.Value
		}, 2, 1)
	equal(*usages[2].CurrentValue, *usages[2].Limit, "used addresses of a full subnet")

	instance := a.instance("crowded", "0")
	_, err = await(a.ctx, must(a.beginInstance("crowded", "0", more(instance, "pod", 1), *instance.Etag)))
	refused(err, http.StatusOK, "NetworkingInternalOperationError/SubnetIsFull")
	failed := a.instance("crowded", "0")
	equal(*failed.Properties.ProvisioningState, "Failed", "state of an instance whose write failed")
	model := failed.Properties.NetworkProfileConfiguration.NetworkInterfaceConfigurations[0]
	equal(len(model.Properties.IPConfigurations), 2, "configurations of its model")
	equal(len(addresses(*a.ofInstance("crowded", "0")[0])), 1, "addresses of its interface")
	a.writeNic("crowded-eth0", nic, *full.Etag)
	again := more(failed, "", 0)
	a.writeInstanceOf("crowded", "0", again, *failed.Etag)
	equal(len(addresses(*a.ofInstance("crowded", "0")[0])), 2, "addresses once there is room")
}

func (a *azure) publicAddresses() {
	prefixes := all(a.ctx, a.prefixes.NewListPager(group, nil),
		func(page armnetwork.PublicIPPrefixesClientListResponse) []*armnetwork.PublicIPPrefix {
			return page.Value
		}, 1)
	equal(*prefixes[0].Tags["use"], "egress", "tag of a prefix")
	made := must(await(a.ctx, must(a.publics.BeginCreateOrUpdate(a.ctx, group, "session",
		armnetwork.PublicIPAddress{
			Location: to.Ptr(location),
			SKU:      &armnetwork.PublicIPAddressSKU{Name: to.Ptr(armnetwork.PublicIPAddressSKUNameStandard)},
			Properties: &armnetwork.PublicIPAddressPropertiesFormat{
				PublicIPAllocationMethod: to.Ptr(armnetwork.IPAllocationMethodStatic),
				PublicIPPrefix:           &armnetwork.SubResource{ID: prefixes[0].ID},
			},
		}, nil))))
	matches(`203\.0\.113\.[0-3]`, *made.Properties.IPAddress, "a public address")
	nic := a.nic("worker-eth1")
	nic.Properties.IPConfigurations[0].Properties.PublicIPAddress = &armnetwork.PublicIPAddress{ID: made.ID}
	bound := a.writeNic("worker-eth1", nic, *nic.Etag)
	equal(*bound.Properties.IPConfigurations[0].Properties.PublicIPAddress.ID, *made.ID, "the address in use")
	found := must(a.publics.Get(a.ctx, group, "session", nil))
	equal(*found.Properties.IPConfiguration.ID, *bound.Properties.IPConfigurations[0].ID, "its user")
	none := all(a.ctx, a.publics.NewListVirtualMachineScaleSetVMPublicIPAddressesPager(
		group, "pool", "1", "eth0", "primary", nil),
		func(page vmPublics) []*armnetwork.PublicIPAddress {
			return page.Value
		}, 0)
	equal(len(none), 0, "public addresses of an instance")
}

func (a *azure) failures() {
	nic := a.nic("worker-eth1")
	a.admin("faults", url.Values{
		"operation": {"Interfaces.CreateOrUpdate"}, "kind": {"fail-operation"}, "times": {"1"},
		"status": {"409"}, "code": {"NicFailed"},
	})
	_, err := await(a.ctx, must(a.beginNic("worker-eth1", plus(nic, "failed", 1), *nic.Etag)))
	refused(err, http.StatusOK, "NicFailed")
	failed := a.nic("worker-eth1")
	equal(*failed.Properties.ProvisioningState, armnetwork.ProvisioningStateFailed, "state after a failure")
	a.admin("faults", url.Values{
		"operation": {"Interfaces.CreateOrUpdate"}, "kind": {"cancel-operation"}, "times": {"1"},
	})
	_, err = await(a.ctx, must(a.beginNic("worker-eth1", nic, *failed.Etag)))
	require(err != nil, "a canceled operation is no error")
	a.admin("faults", url.Values{
		"operation": {"Interfaces.CreateOrUpdate"}, "kind": {"lose-answer"}, "times": {"1"},
	})
	etag := *a.nic("worker-eth1").Etag
	_, err = a.beginNic("worker-eth1", plus(nic, "lost", 1), etag)
	require(err != nil, "a lost answer is no error")
	_, err = a.beginNic("worker-eth1", plus(nic, "again", 1), etag)
	require(err != nil, "the write whose answer was lost was not carried out")
	a.clear()
	for *a.nic("worker-eth1").Properties.ProvisioningState == armnetwork.ProvisioningStateUpdating {
		time.Sleep(80 * time.Millisecond)
	}
	now := a.nic("worker-eth1").Properties.IPConfigurations
	equal(*now[len(now)-1].Name, "lost-0", "the configuration whose answer was lost")
}

func (a *azure) refusedByRole() {
	nic := a.nic("worker-eth1")
	etag := policy.WithHTTPHeader(a.ctx, http.Header{"If-Match": {*nic.Etag}})
	reader, joinless := a.as(a.secret("reader"), -1), a.as(a.secret("joinless"), -1)
	_, err := reader.nics.Get(a.ctx, group, "worker-eth1", nil)
	check(err)
	_, err = reader.subnets.Get(a.ctx, "network", "cluster", "nodes", nil)
	refused(err, http.StatusForbidden, "AuthorizationFailed")
	_, err = reader.nics.BeginCreateOrUpdate(etag, group, "worker-eth1", plus(nic, "x", 1), nil)
	refused(err, http.StatusForbidden, "AuthorizationFailed")
	_, err = joinless.nics.BeginCreateOrUpdate(etag, group, "worker-eth1", plus(nic, "x", 1), nil)
	refused(err, http.StatusForbidden, "LinkedAuthorizationFailed")
	locked := a.nic("locked-eth0")
	_, err = a.beginNic("locked-eth0", plus(locked, "x", 1), *locked.Etag)
	refused(err, http.StatusConflict, "ScopeLocked")
	equal(*a.nic("worker-eth1").Etag, *nic.Etag, "etag after refusals")
}

func (a *azure) life() {
	change := func(id, what string) { a.admin("machine", url.Values{"id": {id}, "do": {what}}) }
	id := setsID + "pool/virtualMachines/0"
	change(id, "upgrade")
	equal(len(addresses(*a.ofInstance("pool", "0")[0])), 1, "addresses after an upgrade to the set's model")
	change(id, "deallocate")
	equal(codes(a.instance("pool", "0"))[1], "PowerState/deallocated", "power state")
	change(id, "mark-for-deletion")
	deleting := a.instance("pool", "0")
	equal(*deleting.Properties.ProvisioningState, "Deleting", "state of an instance that is deleted")
	_, err := a.beginInstance("pool", "0", more(deleting, "x", 1), *deleting.Etag)
	refused(err, http.StatusConflict, "OperationNotAllowed")
	change(id, "delete")
	_, err = a.setMachines.Get(a.ctx, group, "pool", "0", nil)
	refused(err, http.StatusNotFound, "ResourceNotFound")
}

func (a *azure) throttled() {
	var err error
	answered := 0
	for ; err == nil && answered < 50; answered++ {
		_, err = a.machines.Get(a.ctx, group, "locked", nil)
	}
	refusal := refused(err, http.StatusTooManyRequests, "OperationNotAllowed/TooManyRequests")
	equal(answered-1, 36, "reads of one machine at once")
	wait := must(strconv.Atoi(refusal.RawResponse.Header.Get("Retry-After")))
	require(wait >= 1 && wait <= 60, "Retry-After: %d", wait)
	matches(`Microsoft\.Compute/\w+;0,Microsoft\.Compute/\w+;\d+`,
		refusal.RawResponse.Header.Get("X-Ms-Ratelimit-Remaining-Resource"), "what is left")
	// The SDK's own retry waits as long as it is told to, and that is enough.
	patient := a.as(a.secret("session"), 1).machines
	begin := time.Now()
	for range 37 {
		_, err = patient.Get(a.ctx, group, "crowded", nil)
		check(err)
	}
	require(time.Since(begin) >= time.Duration(wait)*time.Second, "37 reads took %s", time.Since(begin))
}

// fixed is a credential whose token nobody gave.
type fixed string

func (f fixed) GetToken(context.Context, policy.TokenRequestOptions) (azcore.AccessToken, error) {
	return azcore.AccessToken{Token: string(f), ExpiresOn: time.Now().Add(time.Hour)}, nil
}
