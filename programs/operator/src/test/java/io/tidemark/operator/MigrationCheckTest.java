package io.tidemark.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.config.ConfigProblem;
import io.tidemark.error.CoreError;
import io.tidemark.kubernetes.migration.MigrationFacts;
import io.tidemark.kubernetes.migration.MigrationFacts.Fact;
import io.tidemark.kubernetes.migration.MigrationFacts.LeaseHolder;
import io.tidemark.kubernetes.migration.OperatorDeployment;
import io.tidemark.kubernetes.migration.PoolCensus;
import io.tidemark.operator.migration.MigrationCheck;
import io.tidemark.spi.Finding;
import io.tidemark.spi.Finding.Verdict;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("What doctor --migration decides")
class MigrationCheckTest {
  private static final PoolCensus NODES = new PoolCensus(3, 2, 40, 0, List.of(), 0);

  private static OperatorDeployment deployment(int replicas, String ipam) {
    return deployment("cilium-operator", replicas, true, ipam);
  }

  private static OperatorDeployment deployment(
      String name, int replicas, boolean rolledOut, String ipam) {
    return new OperatorDeployment(
        "cilium",
        name,
        "operator:1",
        replicas,
        replicas,
        rolledOut,
        "cilium-operator",
        Optional.ofNullable(ipam),
        "eni".equals(ipam));
  }

  private static Fact<Optional<LeaseHolder>> held(long seconds) {
    return new Fact.Known<>(
        Optional.of(new LeaseHolder("cilium/lock", "pod-1", Duration.ofSeconds(seconds))));
  }

  private static Fact<Optional<LeaseHolder>> free() {
    return new Fact.Known<>(Optional.empty());
  }

  private static List<Finding> check(
      List<OperatorDeployment> operators,
      Fact<Optional<LeaseHolder>> theirs,
      Fact<Optional<LeaseHolder>> ours,
      PoolCensus nodes) {
    return MigrationCheck.findings(
        new MigrationFacts(new Fact.Known<>(operators), theirs, ours, new Fact.Known<>(nodes)),
        Optional.of(List.of()));
  }

  private static Finding about(String subject, List<Finding> findings) {
    return findings.stream()
        .filter(each -> each.subject().equals(subject))
        .findFirst()
        .orElseThrow();
  }

  @Test
  @DisplayName(
      "the way back waits for the end of Tidemark's Pods, then undoes how each was stopped")
  void wayBack() {
    Finding found =
        about(
            "cilium-operator allocates again",
            check(
                List.of(deployment(2, "crd"), deployment("second", 0, true, "crd")),
                free(),
                free(),
                NODES));
    assertThat(found.snippet().orElseThrow())
        .isEqualTo(
            """
            kubectl delete -k deploy/base --cascade=foreground && \\
            kubectl -n cilium rollout undo deployment cilium-operator && \\
            kubectl -n cilium scale --replicas=1 deployment second""");
    assertThat(found.remedy()).contains("helm uninstall");
  }

  @ParameterizedTest(name = "{0} replicas, mode {1}: {2}")
  @CsvSource({
    "2,,FAILED",
    "2,eni,FAILED",
    "2,cluster-pool,FAILED",
    "2,crd,OK",
    "2,kubernetes,OK",
    "1,delegated-plugin,OK",
    "0,,OK"
  })
  @DisplayName("an operator that would allocate must stop that first")
  void deployments(int replicas, String ipam, Verdict verdict) {
    Finding found =
        about(
            "Deployment cilium/cilium-operator",
            check(List.of(deployment(replicas, ipam)), free(), free(), NODES));
    assertThat(found.verdict()).isEqualTo(verdict);
    if (verdict == Verdict.FAILED) {
      assertThat(found.snippet().orElseThrow())
          .isEqualTo(
              "kubectl -n cilium patch deployment cilium-operator"
                  + " --patch='{\"spec\":{\"template\":{\"spec\":{\"containers\":[{\"name\":"
                  + "\"cilium-operator\",\"env\":[{\"name\":\"CILIUM_IPAM\",\"value\":\"crd\"}]"
                  + "}]}}}}'");
      assertThat(found.remedy().contains("Remove its argument --ipam"))
          .isEqualTo("eni".equals(ipam));
    }
  }

  @ParameterizedTest(name = "{0} replicas, --ipam={1}")
  @CsvSource({"2,crd", "0,"})
  @DisplayName("an operator whose rollout is not complete may still allocate")
  void rollout(int replicas, String ipam) {
    Finding found =
        about(
            "Deployment cilium/cilium-operator",
            check(
                List.of(deployment("cilium-operator", replicas, false, ipam)),
                free(),
                free(),
                NODES));
    assertThat(found.verdict()).isEqualTo(Verdict.FAILED);
    assertThat(found.snippet())
        .contains("kubectl -n cilium rollout status deployment cilium-operator");
  }

  @ParameterizedTest(name = "of {0}, {1} replicas, renewed {2} s ago: {3}")
  @CsvSource({
    "cilium-operator, 0, 5, FAILED, holds",
    "cilium-operator, 0, 75, FAILED, holds",
    "cilium-operator, 2, 5, OK, holds",
    "cilium-operator, 0, 301, OK, no longer holds",
    "Tidemark, 0, 2, WARNING, holds"
  })
  @DisplayName(
      "a held lease without a replica is another process, by clocks that differ too; an old renewal"
          + " is nobody's")
  void leases(String of, int replicas, long seconds, Verdict verdict, String holds) {
    boolean ours = of.equals("Tidemark");
    List<OperatorDeployment> operators =
        replicas == 0 ? List.of() : List.of(deployment(replicas, "crd"));
    Finding found =
        about(
            "lease of " + of,
            check(operators, ours ? free() : held(seconds), ours ? held(seconds) : free(), NODES));
    assertThat(found.verdict()).isEqualTo(verdict);
    assertThat(found.detail())
        .startsWith(
            "pod-1 " + holds + " cilium/lock, renewed " + seconds + " s ago by the clock here");
  }

  @Test
  @DisplayName("nodes are counted; used addresses outside of their pool and releases are named")
  void nodes() {
    List<Finding> plain = check(List.of(), free(), free(), NODES);
    assertThat(about("CiliumNodes", plain).detail())
        .isEqualTo("3, of which 2 have addresses or CIDRs; 40 addresses are in use, and stay");
    assertThat(plain).noneMatch(each -> each.subject().equals("used addresses"));
    List<Finding> stray =
        check(
            List.of(),
            free(),
            free(),
            new PoolCensus(9, 9, 40, 2, List.of("a", "b", "c", "d", "e"), 7));
    assertThat(about("used addresses", stray).detail())
        .isEqualTo("7 nodes use an address that is not in their pool: a, b, c, d, e, ...");
    assertThat(about("release handshake", stray).detail())
        .isEqualTo("2 addresses are in it; Tidemark continues it");
    assertThat(
            about(
                    "CiliumNodes",
                    check(List.of(), free(), free(), new PoolCensus(0, 0, 0, 0, List.of(), 0)))
                .verdict())
        .isEqualTo(Verdict.WARNING);
  }

  @Test
  @DisplayName("what cannot be read is no go-ahead, and names the server's reason")
  void unread() {
    MigrationFacts facts =
        new MigrationFacts(
            new Fact.Unread<>("forbidden"), free(), free(), new Fact.Unread<>("no such kind"));
    List<Finding> found =
        MigrationCheck.findings(
            facts,
            Optional.of(
                List.of(
                    new ConfigProblem(
                        CoreError.CONFIG_FOREIGN_KEY,
                        "routing-mode",
                        "",
                        "a file",
                        "unused",
                        ""))));
    assertThat(about("Deployments of cilium-operator", found).verdict()).isEqualTo(Verdict.FAILED);
    assertThat(about("CiliumNodes", found).detail()).isEqualTo("no such kind");
    assertThat(about("ConfigMap of the agents", found).detail())
        .isEqualTo("these keys have no effect: routing-mode");
    assertThat(
            about("ConfigMap of the agents", MigrationCheck.findings(facts, Optional.empty()))
                .verdict())
        .isEqualTo(Verdict.WARNING);
  }
}
