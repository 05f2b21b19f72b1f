package io.tidemark.provider.azure.doctor;

import io.tidemark.provider.azure.network.AzureSubnet;
import io.tidemark.provider.azure.network.ResourceId;
import io.tidemark.provider.azure.network.SubnetUsage;
import io.tidemark.provider.kit.doctor.Findings;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.Failure;
import io.tidemark.spi.Finding;
import io.tidemark.spi.Finding.Verdict;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How many addresses the subnets have left (Z39), and how often nodes may ask for more (Z24). Pure.
 *
 * @param subnets that the nodes' interfaces are in
 * @param usages by virtual network
 * @param reserve addresses that stay free in every subnet
 */
record QuotaFindings(
    Map<ResourceId, CallResult<AzureSubnet>> subnets,
    Map<ResourceId, CallResult<List<SubnetUsage>>> usages,
    int reserve) {
  private static final String QUOTA = "quota";

  /** A subnet with fewer free addresses than this part of it is nearly full. */
  private static final int PART = 10;

  private static final Failure UNCOUNTED =
      Failure.of(Failure.Kind.NOT_FOUND, "uncounted", "Azure counts no addresses of it");

  List<Finding> of(AzureTargets targets) {
    List<Finding> all = new ArrayList<>();
    for (ResourceId each : subnets.keySet()) {
      all.add(free(each));
      subnet(each)
          .filter(found -> found.ipv4().size() > 1)
          .ifPresent(found -> all.add(severalPrefixes(found)));
    }
    if (targets.machines.stream().anyMatch(ResourceId::isUniformInstance)) {
      all.add(steps(targets.smallSteps));
    }
    return all;
  }

  private static String name(ResourceId subnet) {
    return "subnet " + AzureTargets.parent(subnet).name() + "/" + subnet.name();
  }

  private Optional<AzureSubnet> subnet(ResourceId id) {
    return Optional.ofNullable(subnets.get(id)).flatMap(CallResult::answer);
  }

  private Finding free(ResourceId id) {
    Optional<CallResult<List<SubnetUsage>>> told =
        Optional.ofNullable(usages.get(AzureTargets.parent(id)));
    Optional<SubnetUsage> counted =
        told.flatMap(CallResult::answer)
            .flatMap(
                all ->
                    all.stream()
                        .filter(each -> each.subnet().equals(id) && each.isCounted())
                        .findFirst());
    Failure unknown = told.flatMap(CallResult::refusal).orElse(UNCOUNTED);
    return counted
        .or(() -> subnet(id).flatMap(AzureSubnet::usage))
        .map(usage -> free(usage, counted.isEmpty()))
        .orElseGet(() -> Findings.undecided(QUOTA, name(id), unknown));
  }

  private Finding free(SubnetUsage usage, boolean computed) {
    long left = Math.max(0, usage.free() - reserve);
    boolean full = left < usage.limit() / PART;
    return Finding.of(
        QUOTA,
        name(usage.subnet()),
        full ? Verdict.WARNING : Verdict.OK,
        left
            + " of "
            + usage.limit()
            + " addresses can be given"
            + (reserve > 0 ? ", azure-subnet-reserve kept" : "")
            + (computed ? ", counted from the subnet" : ""),
        full ? "Enlarge the subnet, or put new nodes in another one, before it is full." : "");
  }

  private static Finding severalPrefixes(AzureSubnet subnet) {
    return Finding.of(
        QUOTA,
        "IPv4 prefixes of " + name(subnet.id()),
        Verdict.WARNING,
        subnet.ipv4().size() + "; Azure may refuse more addresses of an interface there",
        "Use a subnet with one IPv4 prefix if it does.");
  }

  private static Finding steps(Collection<String> small) {
    return Finding.of(
        QUOTA,
        "writes of scale set instances",
        small.isEmpty() ? Verdict.OK : Verdict.WARNING,
        "Azure takes 4 a minute of each"
            + (small.isEmpty()
                ? ""
                : ", and max-above-watermark is below "
                    + AzureTargets.STEP
                    + " on "
                    + AzurePermissionFindingsJson.listed(small)),
        small.isEmpty() ? "" : "Set spec.ipam.max-above-watermark to " + AzureTargets.STEP + ".");
  }
}
