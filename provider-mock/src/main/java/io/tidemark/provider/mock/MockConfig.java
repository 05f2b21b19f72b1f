package io.tidemark.provider.mock;

import io.tidemark.ip.Cidr;
import io.tidemark.provider.mock.cloud.CloudOperation;
import io.tidemark.provider.mock.cloud.FaultRule;
import io.tidemark.provider.mock.cloud.InstanceType;
import io.tidemark.provider.mock.cloud.PublicAddress;
import io.tidemark.provider.mock.cloud.SecurityGroup;
import io.tidemark.provider.mock.cloud.Subnet;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Settings of the embedded cloud. Lists are separated by commas or white space; the parts of an
 * item by semicolons.
 *
 * @param subnets {@code mock-subnets}: {@code id=cidr}, then {@code zone=}, {@code vpc=}, {@code
 *     tag.KEY=}; overrides what manifests show and what is made from their ids
 * @param instanceTypes {@code mock-instance-types}: {@code name=INTERFACESxADDRESSES}, then {@code
 *     prefixes=true|false}; beside the built-in table
 * @param securityGroups {@code mock-security-groups}: {@code id}, then {@code vpc=}, {@code
 *     tag.KEY=}
 * @param publicAddresses {@code mock-public-addresses}: {@code address}, then {@code tag.KEY=}
 * @param aliasRanges {@code mock-alias-ranges}: {@code INSTANCE=CIDR}, by instance
 * @param latencies {@code mock-latency}: a duration for all operations, or {@code
 *     Operation=duration}; {@code default=} for the others
 * @param bucketScale {@code mock-buckets}: {@code off}, {@code documented} or the share of the
 *     documented size that is ours
 * @param stalenessMax {@code mock-staleness}: how far reads may lie behind
 * @param seed {@code mock-seed}: of ids, lags and random faults
 * @param faults {@code mock-faults}: {@code Operation[@SUBJECT][#FIRST[+COUNT]][~SHARE]=FAULT}, the
 *     operation may be {@code *}; faults are {@code throttle}, {@code fail:CODE}, {@code lost},
 *     {@code lost-request}, {@code hang}, {@code hang-done}, {@code partial:N}, {@code stopped},
 *     {@code terminated}
 * @param overlayExpiry {@link io.tidemark.config.SharedKey#OVERLAY_EXPIRY}
 */
record MockConfig(
    List<Subnet> subnets,
    List<InstanceType> instanceTypes,
    List<SecurityGroup> securityGroups,
    List<PublicAddress> publicAddresses,
    Map<String, List<Cidr>> aliasRanges,
    Map<CloudOperation, Duration> latencies,
    double bucketScale,
    Duration stalenessMax,
    long seed,
    List<FaultRule> faults,
    Duration overlayExpiry) {
  MockConfig {
    subnets = List.copyOf(subnets);
    instanceTypes = List.copyOf(instanceTypes);
    securityGroups = List.copyOf(securityGroups);
    publicAddresses = List.copyOf(publicAddresses);
    aliasRanges = Map.copyOf(aliasRanges);
    latencies = Map.copyOf(latencies);
    Objects.requireNonNull(stalenessMax, "stalenessMax");
    faults = List.copyOf(faults);
    Objects.requireNonNull(overlayExpiry, "overlayExpiry");
  }
}
