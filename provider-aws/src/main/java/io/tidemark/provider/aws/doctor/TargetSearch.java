package io.tidemark.provider.aws.doctor;

import io.tidemark.provider.aws.ec2.AwsNetworkInterface;
import io.tidemark.provider.aws.ec2.AwsPage;
import io.tidemark.provider.aws.ec2.Ec2Filter;
import io.tidemark.provider.aws.ec2.Ec2Operation;
import io.tidemark.provider.aws.ec2.ElasticAddress;
import io.tidemark.provider.aws.eni.OwnerTags;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallResult;
import io.tidemark.resource.NodeResource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Finds what requests can be tried on, by reads that do not wait for each other. What cannot be
 * read is not there; the probes tell why.
 */
record TargetSearch(Accounts accounts, CallContext context) {
  /** Enough to see twenty thousand interfaces. */
  private static final int PAGES_MAX = 20;

  /** Everything that the nodes name, and what is left over of the cluster. */
  CompletionStage<AwsTargets> targets(List<NodeResource> nodes, Optional<String> cluster) {
    AwsTargets named = AwsTargets.of(nodes);
    CompletionStage<List<AwsNetworkInterface>> attached =
        named.instances().isEmpty()
            ? nothing()
            : firstPage(false, Ec2Filter.ofInstances("attachment.instance-id", named.instances()));
    CompletionStage<List<AwsNetworkInterface>> available =
        cluster
            .map(
                name ->
                    firstPage(
                        true,
                        Ec2Filter.ofTags(Map.of(OwnerTags.CLUSTER, name))
                            .and("status", Set.of("available"))))
            .orElseGet(TargetSearch::nothing);
    CompletionStage<List<ElasticAddress>> elastic = elastic(named.staticTags());
    return attached.thenCompose(
        held ->
            available.thenCombine(
                elastic, (free, addresses) -> new AwsTargets(nodes, held, free, addresses)));
  }

  private CompletionStage<List<ElasticAddress>> elastic(Map<String, String> tags) {
    return tags.isEmpty()
        ? nothing()
        : accounts
            .read(
                Ec2Operation.DESCRIBE_ADDRESSES,
                false,
                context,
                api -> api.describeAddresses(Ec2Filter.ofTags(tags)))
            .thenApply(result -> result.answer().orElse(List.of()));
  }

  private CompletionStage<List<AwsNetworkInterface>> firstPage(
      boolean ofNetwork, Ec2Filter filter) {
    return page(ofNetwork, filter, Optional.empty())
        .thenApply(result -> result.answer().map(AwsPage::items).orElse(List.of()));
  }

  private CompletionStage<CallResult<AwsPage<AwsNetworkInterface>>> page(
      boolean ofNetwork, Ec2Filter filter, Optional<String> token) {
    return accounts.read(
        Ec2Operation.DESCRIBE_NETWORK_INTERFACES,
        ofNetwork,
        context,
        api -> api.describeNetworkInterfaces(filter, token));
  }

  /**
   * Interfaces of the region.
   *
   * @param all whether there are no more
   * @param attached those that are attached to instances
   */
  record Count(int interfaces, boolean all, List<AwsNetworkInterface> attached) {
    private Count plus(AwsPage<AwsNetworkInterface> page) {
      List<AwsNetworkInterface> found = new ArrayList<>(attached);
      page.items().stream()
          .filter(each -> each.attachment().flatMap(at -> at.instance()).isPresent())
          .forEach(found::add);
      return new Count(interfaces + page.items().size(), page.next().isEmpty(), found);
    }
  }

  CompletionStage<CallResult<Count>> count() {
    return count(Optional.empty(), new Count(0, false, List.of()), 1);
  }

  private CompletionStage<CallResult<Count>> count(
      Optional<String> token, Count before, int pages) {
    return CallResult.after(
        page(true, Ec2Filter.NONE, token),
        page -> {
          Count now = before.plus(page);
          return now.all() || pages == PAGES_MAX
              ? CallResult.answered(now)
              : count(page.next(), now, pages + 1);
        });
  }

  private static <T> CompletionStage<List<T>> nothing() {
    return CompletableFuture.completedStage(List.of());
  }
}
