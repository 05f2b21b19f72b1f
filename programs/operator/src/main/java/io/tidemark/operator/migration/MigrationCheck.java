package io.tidemark.operator.migration;

import io.tidemark.config.ConfigProblem;
import io.tidemark.kubernetes.migration.MigrationFacts;
import io.tidemark.kubernetes.migration.MigrationFacts.Fact;
import io.tidemark.kubernetes.migration.MigrationFacts.LeaseHolder;
import io.tidemark.kubernetes.migration.OperatorDeployment;
import io.tidemark.kubernetes.migration.PoolCensus;
import io.tidemark.spi.Finding;
import io.tidemark.spi.Finding.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Decides from what a cluster shows whether Tidemark can take over, and names the steps. Pure. */
public final class MigrationCheck {
  private static final String OPERATOR = "operator";
  private static final String UNKNOWN =
      "Correct the cause. Until this is known, do not start Tidemark.";

  /** Modes in which cilium-operator writes no pool and no CIDR (its {@code legacyOnLeader}). */
  private static final Set<String> IDLE = Set.of("crd", "kubernetes", "delegated-plugin");

  /** Then the holder is gone: far longer than a usual lease, since the clocks may differ. */
  private static final Duration LEASE_MAX = Duration.ofMinutes(5);

  private MigrationCheck() {}

  /**
   * The findings in the order of the steps.
   *
   * @param ignored keys of the agents' ConfigMap that are known and have no effect; empty where
   *     none was read
   */
  public static List<Finding> findings(
      MigrationFacts facts, Optional<List<ConfigProblem>> ignored) {
    List<Finding> all = new ArrayList<>();
    all.addAll(
        of(facts.operators(), "Deployments of cilium-operator", MigrationCheck::deployments));
    all.addAll(of(facts.theirLease(), "lease of cilium-operator", holder -> theirs(holder, facts)));
    all.addAll(of(facts.ourLease(), "lease of Tidemark", MigrationCheck::ours));
    all.addAll(of(facts.nodes(), "CiliumNodes", MigrationCheck::nodes));
    all.add(settings(ignored));
    all.add(wayBack(facts));
    return all;
  }

  private static <T> List<Finding> of(
      Fact<T> fact, String subject, Function<T, List<Finding>> decide) {
    return fact instanceof Fact.Known<T> known
        ? decide.apply(known.value())
        : List.of(
            Finding.of(
                OPERATOR, subject, Verdict.FAILED, ((Fact.Unread<T>) fact).reason(), UNKNOWN));
  }

  // ---- cilium-operator

  private static boolean allocates(OperatorDeployment each) {
    return each.replicas() > 0 && !each.ipam().map(IDLE::contains).orElse(false);
  }

  private static List<Finding> deployments(List<OperatorDeployment> operators) {
    if (operators.isEmpty()) {
      return List.of(
          Finding.of(
              OPERATOR,
              "Deployments of cilium-operator",
              Verdict.WARNING,
              "no Deployment has the label io.cilium/app=operator",
              "If cilium-operator runs in another way, stop it or give it CILIUM_IPAM=crd."));
    }
    return operators.stream().map(MigrationCheck::deployment).toList();
  }

  private static Finding deployment(OperatorDeployment each) {
    String subject = "Deployment " + each.namespace() + '/' + each.name();
    String ready = each.ready() + " of " + each.replicas() + " replicas are ready";
    if (allocates(each)) {
      return new Finding(
          OPERATOR,
          subject,
          Verdict.FAILED,
          ready + ", and they allocate addresses (" + each.image() + ')',
          "Before Tidemark starts, make it stop that. "
              + (each.ipamIsArgument()
                  ? "Remove its argument --ipam, which has precedence, and set"
                  : "Set")
              + " CILIUM_IPAM=crd in its environment; then it keeps its other duties. The agents keep"
              + " their mode.",
          Optional.of(patch(each)));
    }
    if (!each.rolledOut()) {
      return new Finding(
          OPERATOR,
          subject,
          Verdict.FAILED,
          "its rollout is not complete, so earlier Pods may still allocate addresses",
          "Wait until it is complete, and correct what delays it.",
          Optional.of(kubectl(each, "rollout status")));
    }
    return Finding.of(
        OPERATOR,
        subject,
        Verdict.OK,
        each.replicas() == 0
            ? "it has no replicas"
            : ready + "; it allocates nothing in mode " + each.ipam().orElseThrow(),
        "");
  }

  private static String kubectl(OperatorDeployment each, String verb) {
    return "kubectl -n " + each.namespace() + ' ' + verb + " deployment " + each.name();
  }

  private static String patch(OperatorDeployment each) {
    return kubectl(each, "patch")
        + " --patch='{\"spec\":{\"template\":{\"spec\":{\"containers\":[{\"name\":\""
        + each.container()
        + "\",\"env\":[{\"name\":\"CILIUM_IPAM\",\"value\":\"crd\"}]}]}}}}'";
  }

  // ---- leases

  private static List<Finding> theirs(Optional<LeaseHolder> holder, MigrationFacts facts) {
    boolean seen =
        facts.operators() instanceof Fact.Known<List<OperatorDeployment>> known
            && known.value().stream().anyMatch(each -> each.replicas() > 0);
    String detail = holder(holder);
    return List.of(
        seen || !isHeld(holder)
            ? Finding.of(OPERATOR, "lease of cilium-operator", Verdict.OK, detail, "")
            : Finding.of(
                OPERATOR,
                "lease of cilium-operator",
                Verdict.FAILED,
                detail + ", although no Deployment has a replica",
                "Find the process of that name and stop it. Without a renewal it counts as gone"
                    + " after "
                    + LEASE_MAX.toMinutes()
                    + " minutes."));
  }

  private static List<Finding> ours(Optional<LeaseHolder> holder) {
    return List.of(
        isHeld(holder)
            ? Finding.of(
                OPERATOR,
                "lease of Tidemark",
                Verdict.WARNING,
                holder(holder),
                "Tidemark runs already. Stop it before cilium-operator allocates again.")
            : Finding.of(OPERATOR, "lease of Tidemark", Verdict.OK, holder(holder), ""));
  }

  private static boolean isHeld(Optional<LeaseHolder> holder) {
    return holder.filter(each -> each.sinceRenewal().compareTo(LEASE_MAX) < 0).isPresent();
  }

  private static String holder(Optional<LeaseHolder> holder) {
    return holder
        .map(
            each ->
                each.identity()
                    + (isHeld(holder) ? " holds " : " no longer holds ")
                    + each.place()
                    + ", renewed "
                    + Math.max(0, each.sinceRenewal().toSeconds())
                    + " s ago by the clock here")
        .orElse("nobody holds it");
  }

  // ---- nodes and settings

  private static List<Finding> nodes(PoolCensus census) {
    List<Finding> all = new ArrayList<>();
    all.add(
        Finding.of(
            "nodes",
            "CiliumNodes",
            census.nodes() == 0 ? Verdict.WARNING : Verdict.OK,
            census.nodes()
                + ", of which "
                + census.filled()
                + " have addresses or CIDRs; "
                + census.used()
                + " addresses are in use, and stay",
            census.nodes() == 0 ? "Check that this is the right cluster." : ""));
    if (census.releasing() > 0) {
      all.add(
          Finding.of(
              "nodes",
              "release handshake",
              Verdict.OK,
              census.releasing() + " addresses are in it; Tidemark continues it",
              ""));
    }
    if (census.strayCount() > 0) {
      all.add(
          Finding.of(
              "nodes",
              "used addresses",
              Verdict.WARNING,
              census.strayCount()
                  + " nodes use an address that is not in their pool: "
                  + String.join(", ", census.stray())
                  + (census.strayCount() > census.stray().size() ? ", ..." : ""),
              "The cloud took it away, or cilium-operator is writing now. Tidemark reports such an"
                  + " address as TM-1221."));
    }
    return all;
  }

  private static Finding settings(Optional<List<ConfigProblem>> ignored) {
    if (ignored.isEmpty()) {
      return Finding.of(
          "settings",
          "ConfigMap of the agents",
          Verdict.WARNING,
          "it was not read",
          "Give --config-map, usually kube-system/cilium-config, here and to run.");
    }
    List<String> keys = ignored.get().stream().map(ConfigProblem::key).sorted().distinct().toList();
    return Finding.of(
        "settings",
        "ConfigMap of the agents",
        Verdict.OK,
        keys.isEmpty()
            ? "every key that Tidemark has takes effect"
            : "these keys have no effect: " + String.join(", ", keys),
        keys.isEmpty() ? "" : "`tidemark config` with the same options gives the reason of each.");
  }

  private static Finding wayBack(MigrationFacts facts) {
    List<String> commands = new ArrayList<>();
    commands.add("kubectl delete -k deploy/base --cascade=foreground");
    if (facts.operators() instanceof Fact.Known<List<OperatorDeployment>> known) {
      known
          .value()
          .forEach(
              each ->
                  commands.add(
                      kubectl(each, each.replicas() > 0 ? "rollout undo" : "scale --replicas=1")));
    }
    return new Finding(
        "way back",
        "cilium-operator allocates again",
        Verdict.OK,
        "the objects keep the reference's form; docs/migration.md has the steps",
        "To go back, remove Tidemark and wait until its Pods are gone, then let cilium-operator"
            + " allocate again, as these commands do. Remove a Helm release with `helm uninstall"
            + " RELEASE --cascade=foreground --wait`.",
        Optional.of(String.join(" && \\\n", commands)));
  }
}
