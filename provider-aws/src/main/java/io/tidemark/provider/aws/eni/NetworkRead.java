package io.tidemark.provider.aws.eni;

import static io.tidemark.provider.aws.eni.EniAccount.done;

import io.tidemark.provider.aws.ec2.Ec2Condition;
import io.tidemark.provider.aws.ec2.Ec2Filter;
import io.tidemark.provider.aws.ec2.SecurityGroup;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.Failure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Reads subnets, VPCs, route tables and security groups, each as often as it changes (provider-aws
 * 4.7), and only of the VPCs that nodes are in (M19). Thread-safe.
 */
final class NetworkRead {
  /** The data that are read apart, with how long each stays good. */
  enum Part {
    SUBNETS(Duration.ofSeconds(60)),
    VPCS(Duration.ofMinutes(10)),
    ROUTE_TABLES(Duration.ofMinutes(5)),
    SECURITY_GROUPS(Duration.ofMinutes(5));

    private final long goodForNanos;

    Part(Duration goodFor) {
      this.goodForNanos = goodFor.toNanos();
    }
  }

  private final EniAccount account;
  private final EniNodes nodes;
  private final Map<Part, Fresh> fresh = new ConcurrentHashMap<>();
  private volatile boolean groupsWithRules;

  private record Fresh(long nanos, Set<String> vpcIds) {}

  NetworkRead(EniAccount account, EniNodes nodes) {
    this.account = account;
    this.nodes = nodes;
  }

  /** The next {@link #refresh} reads this part whatever its age. */
  void outdated(Part part) {
    fresh.remove(part);
  }

  /**
   * Reads what is out of date.
   *
   * @param vpcIds those that nodes are in
   * @return why it failed; empty when all is up to date
   */
  CompletionStage<Optional<Failure>> refresh(Set<String> vpcIds, CallContext context) {
    if (vpcIds.isEmpty()) {
      return done(Optional.empty());
    }
    List<Part> due = new ArrayList<>();
    for (Part part : Part.values()) {
      if (!isFresh(part, vpcIds) && (part != Part.SECURITY_GROUPS || anyNodeSelectsGroups())) {
        due.add(part);
      }
    }
    return next(due.iterator(), new TreeSet<>(vpcIds), context);
  }

  private boolean isFresh(Part part, Set<String> vpcIds) {
    Fresh last = fresh.get(part);
    return last != null
        && last.vpcIds().containsAll(vpcIds)
        && account.scheduler.time().nanos() - last.nanos() < part.goodForNanos;
  }

  private boolean anyNodeSelectsGroups() {
    return nodes.byInstance.values().stream().anyMatch(EniNode::selectsGroupsByTags);
  }

  private CompletionStage<Optional<Failure>> next(
      Iterator<Part> due, Set<String> vpcIds, CallContext context) {
    if (!due.hasNext()) {
      return done(Optional.empty());
    }
    Part part = due.next();
    long began = account.scheduler.time().nanos();
    return read(part, vpcIds, context)
        .thenCompose(
            failure -> {
              if (failure.isPresent()) {
                return done(failure);
              }
              fresh.put(part, new Fresh(began, Set.copyOf(vpcIds)));
              return next(due, vpcIds, context);
            });
  }

  private CompletionStage<Optional<Failure>> read(
      Part part, Set<String> vpcIds, CallContext context) {
    Ec2Filter inVpcs = Ec2Filter.of("vpc-id", vpcIds);
    return switch (part) {
      case SUBNETS -> taken(account.ec2.subnets(inVpcs, context), account::read);
      case VPCS ->
          taken(
              account.ec2.vpcs(inVpcs, context),
              vpcs -> account.networks(networks -> networks.withVpcs(vpcs)));
      case ROUTE_TABLES ->
          taken(
              account.ec2.routeTables(inVpcs, context),
              tables -> account.networks(networks -> networks.withRouteTables(tables)));
      case SECURITY_GROUPS -> groups(vpcIds, context);
    };
  }

  /** By the light operation; for good by the other once EC2 does not let us use it (M13). */
  private CompletionStage<Optional<Failure>> groups(Set<String> vpcIds, CallContext context) {
    return groupsWithRules
        ? taken(
            account.ec2.securityGroups(Ec2Filter.of("vpc-id", vpcIds), context), this::haveGroups)
        : groupsOf(vpcIds.iterator(), vpcIds, context, new ArrayList<>());
  }

  private CompletionStage<Optional<Failure>> groupsOf(
      Iterator<String> left, Set<String> vpcIds, CallContext context, List<SecurityGroup> found) {
    if (!left.hasNext()) {
      haveGroups(found);
      return done(Optional.empty());
    }
    return account
        .ec2
        .securityGroupsForVpc(left.next(), context)
        .thenCompose(
            result ->
                result.match(
                    some -> {
                      found.addAll(some);
                      return groupsOf(left, vpcIds, context, found);
                    },
                    failure -> {
                      if (!mustFallBack(failure)) {
                        return done(Optional.of(failure));
                      }
                      groupsWithRules = true;
                      return groups(vpcIds, context);
                    }));
  }

  private static boolean mustFallBack(Failure failure) {
    return Ec2Condition.UNAUTHORIZED.is(failure) || Ec2Condition.UNSUPPORTED.is(failure);
  }

  private void haveGroups(List<SecurityGroup> found) {
    account.securityGroups = List.copyOf(found);
  }

  private static <T> CompletionStage<Optional<Failure>> taken(
      CompletionStage<CallResult<T>> read, Consumer<T> take) {
    return read.thenApply(
        result -> {
          result.answer().ifPresent(take);
          return result.refusal();
        });
  }
}
