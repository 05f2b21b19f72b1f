package io.tidemark.provider.aws.doctor;

import io.tidemark.provider.aws.ec2.AwsNetworkInterface;
import io.tidemark.provider.aws.ec2.AwsPage;
import io.tidemark.provider.aws.ec2.Ec2Api;
import io.tidemark.provider.aws.ec2.Ec2Operation;
import io.tidemark.provider.aws.ec2.ElasticAddress;
import io.tidemark.provider.aws.ec2.InterfaceQuery;
import io.tidemark.provider.aws.eni.OwnerTags;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallResult;
import io.tidemark.resource.NodeResource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Finds what requests can be tried on, by reads that do not wait for each other. What cannot be
 * read is not there; the probes tell why.
 */
final class TargetSearch {
  /** Enough to see twenty thousand interfaces. */
  private static final int PAGES_MAX = 20;

  private final Accounts accounts;
  private final CallResult<Ec2Api> by;
  private final CallContext context;

  TargetSearch(Accounts accounts, CallResult<Ec2Api> by, CallContext context) {
    this.accounts = accounts;
    this.by = by;
    this.context = context;
  }

  /** Everything that the nodes name, and what is left over of the cluster. */
  CompletionStage<AwsTargets> targets(List<NodeResource> nodes, Optional<String> cluster) {
    AwsTargets named = AwsTargets.of(nodes);
    CompletionStage<List<AwsNetworkInterface>> attached =
        named.instances().isEmpty()
            ? nothing()
            : firstPage(new InterfaceQuery.OfInstances(named.instances()));
    CompletionStage<List<AwsNetworkInterface>> available =
        cluster
            .map(name -> firstPage(new InterfaceQuery.Available(Map.of(OwnerTags.CLUSTER, name))))
            .orElseGet(TargetSearch::nothing);
    CompletionStage<List<ElasticAddress>> elastic = elastic(named.staticTags());
    return attached
        .thenApply(named::withAttached)
        .thenCombine(available, AwsTargets::withAvailable)
        .thenCombine(elastic, AwsTargets::withElastic);
  }

  private CompletionStage<List<ElasticAddress>> elastic(Map<String, String> tags) {
    return tags.isEmpty()
        ? nothing()
        : accounts
            .read(
                by,
                Ec2Operation.DESCRIBE_ADDRESSES,
                false,
                context,
                api -> api.describeAddresses(tags))
            .thenApply(result -> result.match(all -> all, failure -> List.of()));
  }

  private CompletionStage<List<AwsNetworkInterface>> firstPage(InterfaceQuery query) {
    return page(query, Optional.empty())
        .thenApply(
            result -> result.match(AwsPage::items, failure -> List.<AwsNetworkInterface>of()));
  }

  private CompletionStage<CallResult<AwsPage<AwsNetworkInterface>>> page(
      InterfaceQuery query, Optional<String> token) {
    return accounts.read(
        by,
        Ec2Operation.DESCRIBE_NETWORK_INTERFACES,
        !(query instanceof InterfaceQuery.OfInstances),
        context,
        api -> api.describeNetworkInterfaces(query, token));
  }

  /**
   * Interfaces of the region.
   *
   * @param all whether there are no more
   * @param attached those that are attached to instances
   */
  record Count(int interfaces, boolean all, List<AwsNetworkInterface> attached) {
    Count {
      attached = List.copyOf(attached);
    }

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
    return page(new InterfaceQuery.Everywhere(), token)
        .thenCompose(
            result ->
                result.then(
                    page -> {
                      Count now = before.plus(page);
                      return now.all() || pages == PAGES_MAX
                          ? CallResult.answered(now)
                          : count(page.next(), now, pages + 1);
                    }));
  }

  private static <T> CompletionStage<List<T>> nothing() {
    return CompletableFuture.completedStage(List.of());
  }
}
