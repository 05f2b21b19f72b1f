package io.tidemark.operator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.tidemark.config.Option;
import io.tidemark.config.Options;
import io.tidemark.error.CoreError;
import io.tidemark.error.IpamException;
import io.tidemark.kubernetes.ClusterConnection;
import io.tidemark.kubernetes.server.CiliumNodes;
import io.tidemark.kubernetes.server.MockCluster;
import io.tidemark.operator.Program.Result;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallKind;
import io.tidemark.resilience.CallLimits;
import io.tidemark.resilience.CallPolicy;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.Failure;
import io.tidemark.resource.NodeResource;
import io.tidemark.spi.AllocationImplementation;
import io.tidemark.spi.Checkup;
import io.tidemark.spi.Finding;
import io.tidemark.spi.Finding.Verdict;
import io.tidemark.spi.ProviderContext;
import io.tidemark.spi.ProviderFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("doctor")
class DoctorTest {
  private static final CallKind CHANGE = new CallKind("Change", CallKind.Effect.ONCE);

  @TempDir private Path directory;

  /** A provider that finds what the test says. */
  private static final class Found implements ProviderFactory, Checkup {
    private final List<Finding> findings;
    private final List<String> seen = new ArrayList<>();
    private boolean answers = true;
    private Optional<ProviderContext> context = Optional.empty();
    private Optional<CallResult<String>> change = Optional.empty();
    private int closed;

    Found(Finding... findings) {
      this.findings = List.of(findings);
    }

    @Override
    public String name() {
      return "found";
    }

    @Override
    public List<Option<?>> settings() {
      Options options = new Options();
      return List.of(options.raw("found-key", "what is found"));
    }

    @Override
    public AllocationImplementation create(ProviderContext given) {
      throw new IpamException(CoreError.CONFIG_REFUSED, "doctor needs no provider");
    }

    @Override
    public Checkup checkup(ProviderContext given) {
      if (given.config().value("found-key").isPresent()) {
        throw new IpamException(CoreError.CONFIG_REFUSED, "1 problem");
      }
      context = Optional.of(given);
      return this;
    }

    @Override
    public CompletionStage<List<Finding>> run(List<NodeResource> nodes, CallContext with) {
      nodes.forEach(node -> seen.add(node.name()));
      if (!answers) {
        return new CompletableFuture<>();
      }
      return context
          .orElseThrow()
          .calls()
          .create(
              new CallPolicy(
                  "account",
                  Map.of(CHANGE, new CallLimits(1, 1, Duration.ofSeconds(1), 1)),
                  (kind, thrown) -> Failure.of(Failure.Kind.LOST, "thrown", thrown.toString())))
          .call(CHANGE, with, attempt -> "sent")
          .thenApply(
              result -> {
                change = Optional.of(result);
                return findings;
              });
    }

    @Override
    public void close() {
      closed++;
    }
  }

  private static final Finding GOOD =
      Finding.of("endpoint", "the cloud", Verdict.OK, "answers", "");
  private static final Finding UNCLEAR =
      Finding.of("quota", "interfaces", Verdict.UNDECIDABLE, "nobody tells", "");
  private static final Finding LATE =
      Finding.of("endpoint", "the names", Verdict.UNFINISHED, "an answer is waited for", "");
  private static final Finding BAD =
      new Finding(
          "permission", "to attach", Verdict.MISSING, "", "Grant it.", Optional.of("attach: yes"));

  private static Result run(Found provider, String... words) {
    return Program.run(provider, Program.arguments("doctor", "--provider=found", words));
  }

  @Test
  @DisplayName("ends with 0 when nothing is missing or failed, whatever cannot be decided")
  void good() {
    Found provider = new Found(GOOD, UNCLEAR);

    assertThat(run(provider).ends(0).out())
        .isEqualTo(
            """
            AREA      WHAT        RESULT       WHY
            endpoint  the cloud   ok           answers
            quota     interfaces  undecidable  nobody tells

            0 of 2 missing or failed
            """);
    assertThat(provider.closed).isEqualTo(1);
  }

  @Test
  @DisplayName("ends with 3 when something is, and says what to do about it")
  void bad() {
    assertThat(run(new Found(GOOD, BAD)).ends(3).out())
        .contains("permission  to attach  missing  -\n")
        .contains("\nto attach: missing. Grant it.\n  attach: yes\n")
        .endsWith("\n1 of 2 missing or failed\n");
  }

  @Test
  @DisplayName("prints JSON that its schema describes")
  void json() {
    Result result = run(new Found(GOOD, BAD), "--output=json").ends(3);

    JsonNode findings = Reports.findings(result);
    assertThat(findings.get("wrong").asInt()).isEqualTo(1);
    assertThat(findings.get("findings").get(0).get("snippet").isNull()).isTrue();
    assertThat(findings.get("findings").get(1).get("snippet").asText()).isEqualTo("attach: yes");
  }

  @Test
  @DisplayName("hands over the nodes, and a door that lets no change pass")
  void guarded() {
    Manifests manifests =
        new Manifests(directory)
            .with("a.yaml", Manifests.fresh("worker-a"))
            .with("b.yaml", "kind: CiliumNode\nmetadata: {name: [}");
    Map<String, String> before = manifests.content();
    Found provider = new Found(GOOD);

    run(provider, manifests.option()).ends(0);

    assertThat(provider.seen).containsExactly("worker-a");
    assertThat(provider.change.orElseThrow()).isInstanceOf(CallResult.Failed.class);
    assertThat(manifests.content()).isEqualTo(before);
  }

  @Test
  @DisplayName("ends with 2 when settings are refused")
  void refused() {
    assertThat(run(new Found(GOOD), "--found-key=x").exitCode()).isEqualTo(2);
  }

  @Test
  @DisplayName("ends with 4 and a table when a check took too long, whatever else is wrong")
  void unfinished() {
    Found provider = new Found(GOOD, LATE, BAD);

    Result result = run(provider).ends(4);

    assertThat(result.err()).contains("not all checks ended within 60 s");
    assertThat(result.out())
        .contains("endpoint    the cloud  ok            answers\n")
        .contains("endpoint    the names  not finished  an answer is waited for\n")
        .endsWith("\n1 of 3 missing or failed, 1 not finished\n");
    JsonNode findings = Reports.findings(run(new Found(GOOD, LATE, BAD), "--output=json"));
    assertThat(findings.get("unfinished").asInt()).isEqualTo(1);
    assertThat(findings.get("findings").get(1).get("result").asText()).isEqualTo("not finished");
  }

  @Test
  @DisplayName("does not wait longer for a provider that does not keep to the time")
  void silent() {
    Found silent = new Found(GOOD);
    silent.answers = false;

    Result result = run(silent, "--timeout=50ms").ends(4);
    assertThat(result.err()).contains("not all checks ended within");
    assertThat(result.out())
        .containsPattern("provider +found +not finished +the check did not end in time")
        .endsWith("\n0 of 1 missing or failed, 1 not finished\n");
    assertThat(silent.closed).isEqualTo(1);
  }

  @Test
  @DisplayName("says of a provider that has nothing to look at that it has not")
  void nothing() {
    assertThat(Program.run("doctor", "--provider=mock").ends(0).out())
        .isEqualTo("provider mock has no checks\n");
  }

  @Test
  @DisplayName("names the groups whose nodes take more pods than there can be addresses for")
  void maxPods() throws Exception {
    try (MockCluster mock = MockCluster.start();
        ClusterConnection cluster = mock.connect(directory)) {
      node(cluster, "a", "m5.large", 110);
      node(cluster, "b", "m5.large", 110);
      node(cluster, "c", "m5.xlarge", 20);
      int created = mock.requests("POST").size();

      assertThat(inCluster().ends(0).out())
          .containsPattern(
              "max-pods +nodes of m5.large/web +warning +2 nodes take up to 110 pods and can have"
                  + " addresses for [0-9]+: up to [0-9]+ pods a node would wait\n")
          .contains("nodes of m5.large/web: warning. Set max-pods to at most ")
          .doesNotContain("m5.xlarge");
      assertThat(mock.requests()).extracting(MockCluster.Asked::verb).containsOnly("GET", "POST");
      assertThat(mock.requests("POST")).hasSize(created);
    }
  }

  @DisplayName("names the remedy where it cannot compare pods and addresses of nodes")
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --mock-faults=*=fail:Unavailable | the cloud was not read                   | Correct what the other checks found.
          --timeout=3s                     | the Nodes of the cluster were not listed | grant the right to list and watch nodes, or give
          """)
  void unread(String option, String why, String remedy) throws Exception {
    try (MockCluster mock = MockCluster.start();
        ClusterConnection cluster = mock.connect(directory)) {
      node(cluster, "a", "m5.large", 110);
      if (option.contains("timeout")) {
        mock.answerEach(
            asked -> asked.path().startsWith("/api/v1/nodes"),
            MockCluster.status(403, "Forbidden", "no"));
      }

      assertThat(inCluster(option).ends(0).out())
          .containsPattern("max-pods +nodes of the cluster +undecidable +" + why + "\n")
          .contains(remedy);
    }
  }

  @Test
  @DisplayName("keeps the other findings where the provider refuses to start")
  void refusedStart() throws Exception {
    try (MockCluster mock = MockCluster.start();
        ClusterConnection cluster = mock.connect(directory)) {
      node(cluster, "a", "m5.large", 110);
      String option = "--kubeconfig=" + directory.resolve("kubeconfig");

      assertThat(run(new Found(GOOD), option).ends(0).out())
          .contains("endpoint", "answers")
          .containsPattern(
              "max-pods .*undecidable.*TM-1000 CONFIG_REFUSED: doctor needs no provider");
    }
  }

  @Test
  @DisplayName("compares nothing with ipam-profile=reference")
  void reference() throws Exception {
    try (MockCluster mock = MockCluster.start();
        ClusterConnection cluster = mock.connect(directory)) {
      node(cluster, "a", "m5.large", 110);

      assertThat(inCluster("--ipam-profile=reference").ends(0).out()).doesNotContain("max-pods");
    }
  }

  private Result inCluster(String... more) {
    return Program.run(
        Program.arguments(
            "doctor --provider=mock", "--kubeconfig=" + directory.resolve("kubeconfig"), more));
  }

  private static void node(ClusterConnection cluster, String name, String type, int maxPods) {
    new CiliumNodes(cluster)
        .create(
            """
            {"apiVersion":"cilium.io/v2","kind":"CiliumNode","metadata":{"name":"NAME","labels":{
              "node.kubernetes.io/instance-type":"TYPE","eks.amazonaws.com/nodegroup":"web"}},
             "spec":{"instance-id":"i-NAME","ipam":{},"eni":{"availability-zone":"eu-central-1a",
               "first-interface-index":0,"instance-type":"TYPE","node-subnet-id":"subnet-a",
               "vpc-id":"vpc-1"}}}
            """
                .replace("NAME", name)
                .replace("TYPE", type));
    cluster
        .client()
        .resource(
            new NodeBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .withNewStatus()
                .addToAllocatable("pods", new Quantity(Integer.toString(maxPods)))
                .endStatus()
                .build())
        .create();
  }

  private static String page(String next, String... items) {
    return "{\"kind\":\"NodeList\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"9\","
        + "\"continue\":\"NEXT\"},\"items\":[".replace("NEXT", next)
        + String.join(",", items)
        + "]}";
  }

  private static String tainted(String name) {
    return """
        {"apiVersion":"v1","kind":"Node",
         "metadata":{"name":"NAME","uid":"u-NAME","resourceVersion":"8"},"spec":{"taints":[
           {"key":"tidemark.io/no-pod-addresses","effect":"NoSchedule"}]}}
        """
        .replace("NAME", name);
  }

  @DisplayName("--untaint lists all nodes first, and says of each how it ended")
  @ParameterizedTest(name = "second page {0}, --timeout={1}: exit code {2}, {3} changes")
  @CsvSource({
    "200, 1m, 3, 3, 'a ok removed; b failed cannot patch; c ok the node is gone'",
    "410, 1m, 2, 0, ''",
    "200, 1ms, 4, 0, 'all nodes not finished'",
  })
  void untaint(int second, String timeout, int exit, int changes, String ends) throws Exception {
    try (MockCluster mock = MockCluster.start()) {
      mock.access(directory);
      mock.answerEach(
          asked -> asked.verb().equals("GET") && asked.path().contains("continue=next"),
          second == 200
              ? MockCluster.json(page("", tainted("b"), tainted("a")))
              : MockCluster.status(second, "Expired", "too old"));
      mock.answerEach(
          asked -> asked.verb().equals("GET") && asked.path().contains("/nodes?limit"),
          MockCluster.json(page("next", tainted("c"))));
      mock.answerEach(
          asked -> asked.verb().equals("PATCH") && asked.path().contains("/a?"),
          MockCluster.json(tainted("a").replace("tidemark.io", "other")));
      mock.answerEach(
          asked -> asked.verb().equals("PATCH") && asked.path().contains("/b?"),
          MockCluster.status(403, "Forbidden", "cannot patch"));
      mock.answerEach(
          asked -> asked.verb().equals("PATCH") && asked.path().contains("/c?"),
          MockCluster.notFound("nodes", "c"));

      Result result =
          Program.run(
              Program.arguments(
                  "doctor --untaint --timeout=" + timeout,
                  "--kubeconfig=" + directory.resolve("kubeconfig")));

      assertThat(result.ends(exit).out().replaceAll(" +", " ")).contains(ends.split("; ", -1));
      assertThat(mock.requests("PATCH")).hasSize(changes);
    }
  }

  @Test
  @DisplayName("refuses --migration without a cluster")
  void noCluster() {
    assertThat(run(new Found(GOOD), "--migration").ends(2).err())
        .contains("--migration needs a cluster: give --kubeconfig, KUBECONFIG or --context");
  }
}
