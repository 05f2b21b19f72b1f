package io.tidemark.provider.mock;

import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.provider.mock.cloud.CloudOperation;
import io.tidemark.provider.mock.cloud.FaultScript;
import io.tidemark.provider.mock.cloud.InstanceLimits;
import io.tidemark.provider.mock.cloud.MockSubnet;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Settings of the embedded cloud; docs/config.md has their forms.
 *
 * @param subnets go before what manifests show
 * @param instanceTypes by name, beside the built-in table
 * @param securityGroups their tags by id
 * @param publicAddresses their tags by address
 * @param aliasRanges by instance
 * @param latencies how much later than it comes each answer is passed on
 * @param bucketScale share of the request buckets, 0 for none
 * @param stalenessMax how far reads may lie behind
 * @param seed of ids, lags and random faults
 * @param overlayExpiry {@link io.tidemark.config.SharedKey#OVERLAY_EXPIRY}
 */
record MockConfig(
    List<MockSubnet> subnets,
    Map<String, InstanceLimits> instanceTypes,
    Map<String, Map<String, String>> securityGroups,
    Map<IpAddress, Map<String, String>> publicAddresses,
    Map<String, List<Cidr>> aliasRanges,
    Map<CloudOperation, Duration> latencies,
    double bucketScale,
    Duration stalenessMax,
    long seed,
    List<FaultScript.Rule> faults,
    Duration overlayExpiry) {
  MockConfig {
    subnets = List.copyOf(subnets);
    instanceTypes = Map.copyOf(instanceTypes);
    securityGroups = Map.copyOf(securityGroups);
    publicAddresses = Map.copyOf(publicAddresses);
    aliasRanges = Map.copyOf(aliasRanges);
    latencies = Map.copyOf(latencies);
    faults = List.copyOf(faults);
  }
}
