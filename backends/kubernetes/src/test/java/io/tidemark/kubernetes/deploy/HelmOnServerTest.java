package io.tidemark.kubernetes.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PodSecurityContext;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentSpec;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.tidemark.kubernetes.deploy.Manifests.Manifest;
import io.tidemark.kubernetes.server.ApiServer;
import io.tidemark.kubernetes.server.ApiServer.User;
import io.tidemark.kubernetes.server.Eventually;
import io.tidemark.testing.Repository;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("kubernetes")
@Tag("long")
@DisplayName("The chart of deploy/helm, rendered and installed by Helm")
class HelmOnServerTest {
  private static final Path HELM = Repository.root().resolve("deploy/helm");
  private static final String CHART = HELM.resolve("tidemark").toAbsolutePath().toString();

  /** Labels that say which chart made an object; the folders of deploy have none. */
  private static final Pattern OF_THE_CHART =
      Pattern.compile(
          "^ +(helm.sh/chart|app.kubernetes.io/version|app.kubernetes.io/managed-by): .*$",
          Pattern.MULTILINE);

  /** An uninstallation leaves it. */
  private static final Pattern KEPT =
      Pattern.compile("^  annotations:\\s+helm.sh/resource-policy: keep$", Pattern.MULTILINE);

  @RegisterExtension private static final ApiServer server = ApiServer.ofClass();

  @TempDir private Path directory;

  private record End(int code, String out, String err) {}

  @BeforeAll
  static void start() throws Exception {
    try (InputStream in = HelmOnServerTest.class.getResourceAsStream("monitoring-crds.yaml")) {
      server.admin().client().load(in).create();
    }
    Manifests.createNamespaces(server.admin().client());
    Eventually.holds(
        "PrometheusRules are served",
        () ->
            server.admin().client().raw("/apis/monitoring.coreos.com/v1/prometheusrules") != null);
  }

  private End helm(String... arguments) throws Exception {
    return run("helm", arguments);
  }

  private End run(String program, String... arguments) throws Exception {
    Path out = directory.resolve("out.txt");
    Path err = directory.resolve("err.txt");
    List<String> command = new ArrayList<>();
    command.add(ApiServer.binaries().resolve(program).toString());
    command.addAll(List.of(arguments));
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectOutput(out.toFile())
            .redirectError(err.toFile());
    builder.environment().put("HOME", directory.toString());
    builder.environment().put("KUBECONFIG", server.kubeconfig(User.ADMIN).toString());
    Process process = builder.start();
    assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    return new End(process.exitValue(), Files.readString(out), Files.readString(err));
  }

  private String works(String... arguments) throws Exception {
    return output(helm(arguments));
  }

  private static String output(End end) {
    assertThat(end.code()).as(end.err()).isZero();
    return end.out();
  }

  /** The objects of a release of that name, with the values of a file, or the default ones. */
  private Collection<Manifest> rendered(String release, String namespace, String... options)
      throws Exception {
    String[] command =
        Stream.concat(
                Stream.of("template", release, CHART, "--namespace", namespace),
                Arrays.stream(options))
            .toArray(String[]::new);
    return Manifests.of("helm template", works(command).replaceFirst("^---\n", ""));
  }

  private static String values(String name) {
    return HELM.resolve("tests").resolve(name).toAbsolutePath().toString();
  }

  static List<String> files() throws IOException {
    try (Stream<Path> files = Files.list(HELM.resolve("tests"))) {
      return files.map(each -> each.getFileName().toString()).sorted().toList();
    }
  }

  /** By kind, namespace and name, without the labels of the chart. */
  private static Map<String, Object> byIdentity(Collection<Manifest> manifests) {
    return Manifests.byIdentity(
        manifests.stream()
            .map(each -> new Manifest(each.file(), KEPT.matcher(each.text()).replaceAll("")))
            .map(
                each -> new Manifest(each.file(), OF_THE_CHART.matcher(each.text()).replaceAll("")))
            .toList());
  }

  /** The objects of a folder, as Helm writes their images. */
  private static Map<String, Object> folder(Manifests folder) throws IOException {
    return Manifests.byIdentity(folder.withImage(folder.image()));
  }

  @Test
  @DisplayName("with its default values it is deploy/base")
  void base() throws Exception {
    assertThat(byIdentity(rendered("tidemark-operator", Manifests.NAMESPACE)))
        .isEqualTo(folder(Manifests.OPERATOR));
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(names = {"NODE_CIDR", "NODE_ID"})
  @DisplayName("in another mode it has the objects and rights of the mode's folder")
  void mode(Manifests folder) throws Exception {
    String file = folder.account().replace("tidemark-", "") + ".yaml";
    Map<String, Object> rendered =
        byIdentity(rendered(folder.account(), Manifests.NAMESPACE, "--values", values(file)));
    Map<String, Object> expected = folder(folder);
    assertThat(rendered).containsOnlyKeys(expected.keySet());
    expected.forEach(
        (identity, object) -> {
          if (!identity.contains("/deployments/")) {
            assertThat(rendered.get(identity)).as(identity).isEqualTo(object);
          }
        });
  }

  /** Each verb of each resource that the roles give, with its namespace and the objects' names. */
  private static Set<String> rights(Collection<Manifest> manifests) {
    Set<String> rights = new TreeSet<>();
    for (Manifest each : manifests) {
      HasMetadata role = each.typed();
      for (PolicyRule rule : Rights.rules(role)) {
        for (String resource : rule.getResources()) {
          for (String verb : rule.getVerbs()) {
            rights.add(
                Stream.of(
                        role.getMetadata().getNamespace(), resource, rule.getResourceNames(), verb)
                    .map(String::valueOf)
                    .collect(Collectors.joining(" ")));
          }
        }
      }
    }
    return rights;
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "cluster-pool, tidemark-operator",
    "node-cidr-cloud, tidemark-node-cidr",
    "taint-exhausted, tidemark-operator"
  })
  @DisplayName("NC-AM38 with the values of an overlay of deploy it gives the overlay's rights")
  void rightsOfOverlays(String overlay, String release) throws Exception {
    String folder = Repository.root().resolve("deploy").resolve(overlay).toString();
    Collection<Manifest> expected =
        Manifests.of(overlay, output(run("kustomize", "build", folder)));

    assertThat(
            rights(rendered(release, Manifests.NAMESPACE, "--values", values(overlay + ".yaml"))))
        .isEqualTo(rights(expected));
  }

  @Test
  @DisplayName("with leader-election-namespace it gives the rights to the lease there")
  void leaseNamespace() throws Exception {
    assertThat(
            rights(
                rendered(
                    "tidemark",
                    Manifests.NAMESPACE,
                    "--set=settings.leader-election-namespace=leases")))
        .contains(
            "leases leases [] create",
            "leases leases [tidemark-operator] update",
            "leases events [] create")
        .noneMatch(each -> each.startsWith(Manifests.NAMESPACE + " leases"));
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(strings = {"podMonitor", "serviceMonitor"})
  @DisplayName("the job of a monitor is the name of the application, as with deploy/monitoring")
  void job(String monitor) throws Exception {
    Path podMonitor = Repository.root().resolve("deploy/monitoring/podmonitor.yaml");
    String job = "jobLabel: app.kubernetes.io/name";
    assertThat(podMonitor).content().contains(job);
    assertThat(
            rendered("tidemark", Manifests.NAMESPACE, "--set=" + monitor + ".enabled=true").stream()
                .map(Manifest::text))
        .filteredOn(text -> text.contains("Monitor\n"))
        .singleElement()
        .asString()
        .contains(job);
  }

  private DeploymentSpec spec(String... values) throws Exception {
    return rendered("tidemark", Manifests.NAMESPACE, values).stream()
        .map(Manifest::typed)
        .filter(Deployment.class::isInstance)
        .map(Deployment.class::cast)
        .findFirst()
        .orElseThrow()
        .getSpec();
  }

  private Container operator(String... values) throws Exception {
    return spec(values).getTemplate().getSpec().getContainers().get(0);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({"0.0.0.0,", "'::',", "10.0.0.1, 10.0.0.1", "'fd00::1', 'fd00::1'"})
  @DisplayName("probes ask the address of listen, or that of the Pod when it is every address")
  void listen(String listen, String host) throws Exception {
    Container operator = operator("--set=listen=" + listen);
    assertThat(operator.getArgs()).contains("--listen=" + listen);
    assertThat(operator.getLivenessProbe().getHttpGet().getHost()).isEqualTo(host);
    assertThat(operator.getReadinessProbe().getHttpGet().getHost()).isEqualTo(host);
  }

  @Test
  @DisplayName("the user of the Pod can be left to OpenShift; all else of its security stays")
  void user() throws Exception {
    PodSecurityContext standard = spec().getTemplate().getSpec().getSecurityContext();
    assertThat(
            spec("--values", values("openshift.yaml")).getTemplate().getSpec().getSecurityContext())
        .isEqualTo(standard.toBuilder().withRunAsUser(null).build())
        .isNotEqualTo(standard);
  }

  @Test
  @DisplayName("a setting that has a value of its own is refused among the settings")
  void ownValues() throws Exception {
    Container operator =
        operator(
            "--set=ipam=kubernetes,settings.cidr-allocator-type=CloudAllocator",
            "--set=log.level=debug,replicas=1,leaderElection.enabled=false");
    List<String> names =
        operator.getArgs().stream()
            .filter(each -> each.startsWith("--"))
            .map(each -> each.substring(2).replaceFirst("=.*", ""))
            .filter(each -> !each.equals("cidr-allocator-type"))
            .toList();
    assertThat(names).contains("leader-election", "config-map", "allocate-node-cidrs");
    for (String name : names) {
      End end = helm("template", "tidemark", CHART, "--set", "settings." + name + "=x");
      assertThat(end.code()).as(name).isNotZero();
      assertThat(end.err()).contains("settings." + name + ": set the value ");
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("files")
  @DisplayName(
      "every file of deploy/helm/tests passes the linter, and the server takes its objects")
  void accepted(String file) throws Exception {
    String linted = works("lint", CHART, "--strict", "--values", values(file));
    assertThat(linted).contains("0 chart(s) failed").doesNotContain("[WARNING]");
    Collection<Manifest> objects =
        rendered("tidemark", Manifests.NAMESPACE, "--values", values(file));
    assertThat(objects).isNotEmpty();
    for (Manifest each : objects) {
      assertThat(each.tried(server.admin().client())).as(each.toString()).contains(each.name());
    }
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          replicas=two                     | at '/replicas': got string, want integer
          imgae.tag=1                      | additional properties 'imgae' not allowed
          ipam=eni                         | at '/ipam': value must be one of
          provider=gcp                     | at '/provider': value must be one of
          settings.Cluster_Name=a          | invalid propertyName 'Cluster_Name'
          settings.min-allocate=10         | invalid propertyName 'min-allocate'
          leaderElection.enabled=false     | replicas must be 1 without leaderElection.enabled
          image.digest=sha256:12           | at '/image/digest'
          podMonitor.enabled=true,serviceMonitor.enabled=true | each Pod is scraped twice
          """)
  @DisplayName("values that are wrong are refused with their place")
  void refused(String value, String message) throws Exception {
    End end = helm("template", "tidemark", CHART, "--set", value);
    assertThat(end.code()).isNotZero();
    assertThat(end.err()).contains(message.strip());
  }

  @Test
  @DisplayName("installed, upgraded and removed, it leaves nothing behind")
  void installed() throws Exception {
    String namespace = "tidemark";
    works("install", "west", CHART, "--namespace", namespace, "--create-namespace");
    assertThat(objectsOf("west")).hasSize(12);
    assertThat(deployment(namespace).getSpec().getReplicas()).isEqualTo(2);

    works(
        "upgrade",
        "west",
        CHART,
        "--namespace",
        namespace,
        "--values",
        values("aws.yaml"),
        "--set=replicas=3,podDisruptionBudget.enabled=false");
    assertThat(deployment(namespace).getSpec().getReplicas()).isEqualTo(3);
    assertThat(deployment(namespace).getSpec().getTemplate().getSpec().getContainers().get(0))
        .satisfies(it -> assertThat(it.getArgs()).contains("--release-excess-ips=true"));
    assertThat(objectsOf("west")).hasSize(11);

    String noLease = "--set=replicas=1,leaderElection.enabled=false";
    works("upgrade", "west", CHART, "--namespace", namespace, noLease);
    assertThat(deployment(namespace).getSpec().getStrategy().getType())
        .as("no two operators without a lease")
        .isEqualTo("Recreate");

    works("rollback", "west", "1", "--namespace", namespace);
    assertThat(deployment(namespace).getSpec().getReplicas()).isEqualTo(2);
    assertThat(deployment(namespace).getSpec().getStrategy().getType()).isEqualTo("RollingUpdate");

    works("uninstall", "west", "--namespace", namespace);
    assertThat(objectsOf("west")).isEmpty();
  }

  private static Deployment deployment(String namespace) {
    return server
        .admin()
        .client()
        .apps()
        .deployments()
        .inNamespace(namespace)
        .withName("west")
        .get();
  }

  /** The kinds and names of all objects with the label of a release. */
  private static List<String> objectsOf(String release) {
    return Stream.of(
            server.admin().client().serviceAccounts().inAnyNamespace(),
            server.admin().client().services().inAnyNamespace(),
            server.admin().client().apps().deployments().inAnyNamespace(),
            server.admin().client().policy().v1().podDisruptionBudget().inAnyNamespace(),
            server.admin().client().rbac().roles().inAnyNamespace(),
            server.admin().client().rbac().roleBindings().inAnyNamespace(),
            server.admin().client().rbac().clusterRoles(),
            server.admin().client().rbac().clusterRoleBindings())
        .flatMap(
            kind ->
                kind.withLabel("app.kubernetes.io/name", release).list().getItems().stream()
                    .map(each -> each.getKind() + ' ' + each.getMetadata().getName()))
        .toList();
  }
}
