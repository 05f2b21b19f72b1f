package io.tidemark.provider.mock;

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
 * @param overlayExpiry {@code overlay-expiry}, a key of the core: how long own writes win over
 *     contradicting reads
 */
record MockConfig(
    List<Subnet> subnets,
    List<InstanceType> instanceTypes,
    List<SecurityGroup> securityGroups,
    List<PublicAddress> publicAddresses,
    Map<CloudOperation, Duration> latencies,
    double bucketScale,
    Duration stalenessMax,
    long seed,
    List<FaultRule> faults,
    Duration overlayExpiry) {
  static final Duration OVERLAY_EXPIRY = Duration.ofMinutes(2);
  static final String OVERLAY_EXPIRY_KEY = "overlay-expiry";

  /** Keys it reads beside the core's. */
  static final Map<String, String> KEYS =
      Map.of(
          "mock-subnets",
          "subnets that exist, instead of those made from the IDs in manifests",
          "mock-instance-types",
          "instance types beside the built-in ones",
          "mock-security-groups",
          "security groups; if there is none, any name is accepted",
          "mock-public-addresses",
          "static public addresses of the account",
          "mock-latency",
          "latency of requests (default: 0s)",
          "mock-buckets",
          "request limits: off, documented, or a share of them (default: off)",
          "mock-staleness",
          "how far reads may lag behind, up to 1h (default: 0s)",
          "mock-seed",
          "seed of interface IDs, lags and random faults (default: 1)",
          "mock-faults",
          "faults; the first matching rule decides");

  MockConfig {
    subnets = List.copyOf(subnets);
    instanceTypes = List.copyOf(instanceTypes);
    securityGroups = List.copyOf(securityGroups);
    publicAddresses = List.copyOf(publicAddresses);
    latencies = Map.copyOf(latencies);
    Objects.requireNonNull(stalenessMax, "stalenessMax");
    faults = List.copyOf(faults);
    Objects.requireNonNull(overlayExpiry, "overlayExpiry");
  }
}
