package io.tidemark.it.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.tidemark.emulator.ec2.Ec2Emulator;
import io.tidemark.emulator.ec2.ListenOptions;
import io.tidemark.emulator.ec2.imds.Imds;
import io.tidemark.emulator.ec2.scenario.Ec2ScenarioYaml;
import io.tidemark.emulator.ec2.types.Ec2InstanceTypes;
import io.tidemark.it.program.OperatorProcess;
import io.tidemark.kubernetes.ClusterConnection;
import io.tidemark.kubernetes.server.ApiServer;
import io.tidemark.kubernetes.server.ApiServer.User;
import io.tidemark.kubernetes.server.Eventually;
import io.tidemark.kubernetes.server.PodAddress;
import io.tidemark.testing.Repository;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The cluster of a reader of the documents: its Nodes, the ConfigMap of its agents, the definitions
 * of the Prometheus Operator, context {@code west} of the kubeconfig in the home directory, and the
 * EC2 of examples/aws.
 */
final class DocumentCluster implements AutoCloseable {
  private static final String EC2 = "examples/aws/";

  private final ApiServer server;
  private final ClusterConnection admin;
  private final Ec2Emulator.Listening cloud;
  private final Path home;
  private @Nullable OperatorProcess operator;

  private DocumentCluster(Path home, ApiServer server) throws IOException {
    this.home = home;
    this.server = server;
    this.admin = server.connect(User.ADMIN);
    this.cloud =
        Ec2Emulator.listen(
            ListenOptions.of(
                    0,
                    Ec2ScenarioYaml.read(
                            Repository.root().resolve(EC2 + "ec2.yaml"), Ec2InstanceTypes.bundled())
                        .scenario()
                        .orElseThrow())
                .withMetadata(0, new Imds.Setting(Optional.empty(), Optional.empty())));
  }

  /** Starts the servers, and makes what a reader's cluster has. */
  static DocumentCluster start(Path home) throws IOException {
    ApiServer server = ApiServer.start();
    try {
      DocumentCluster cluster = new DocumentCluster(home, server);
      cluster.prepare();
      return cluster;
    } catch (IOException | RuntimeException | AssertionError e) {
      server.close();
      throw e;
    }
  }

  private void prepare() throws IOException {
    // The launcher would build a program that is older than its sources beside the running tests.
    Path mvn = Files.createDirectories(home.resolve("bin")).resolve("mvn");
    Files.writeString(mvn, "#!/bin/sh\necho 'Run .ci/run kubernetes-all.'\nexit 1\n");
    assertThat(mvn.toFile().setExecutable(true)).isTrue();
    String kubeconfig = Files.readString(server.kubeconfig(User.ADMIN));
    Files.writeString(
        Files.createDirectories(home.resolve(".kube")).resolve("config"),
        kubeconfig
            .replace("- name: test\n  context:", "- name: west\n  context:")
            .replace("current-context: test", "current-context: west"));
    try (InputStream in =
        ApiServer.class.getResourceAsStream(
            "/io/tidemark/kubernetes/deploy/monitoring-crds.yaml")) {
      client().load(in).create();
    }
    Eventually.holds(
        "objects of the Prometheus Operator are served",
        () ->
            client().raw("/apis/monitoring.coreos.com/v1/podmonitors") != null
                && client().raw("/apis/monitoring.coreos.com/v1/prometheusrules") != null);
    kubectl("create", "-f", "examples/cluster-nodes");
    kubectl(
        "create",
        "configmap",
        "cilium-config",
        "--namespace=kube-system",
        "--from-literal=ipam=eni",
        "--from-literal=cluster-name=example");
  }

  private KubernetesClient client() {
    return admin.client();
  }

  private void kubectl(String... arguments) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(ApiServer.binaries().resolve("kubectl").toString())
            .directory(Repository.root().toFile())
            .redirectErrorStream(true);
    builder.command().addAll(List.of(arguments));
    builder.environment().put("KUBECONFIG", home.resolve(".kube/config").toString());
    Process process = builder.start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.onExit().join().exitValue()).as(said).isZero();
  }

  /** Makes the CiliumNodes of the instances that EC2 has. */
  void createCiliumNodes() throws IOException {
    kubectl("create", "-f", EC2 + "nodes");
  }

  /** Makes the Deployment that allocates addresses, and rolls it and others out. */
  void createCiliumOperator() throws IOException {
    client().apps().deployments().inAnyNamespace().inform(new DeploymentController());
    kubectl(
        "create",
        "deployment",
        "cilium-operator",
        "--namespace=kube-system",
        "--replicas=2",
        "--image=registry.example/cilium/operator-aws:v1.17.6");
    kubectl(
        "label",
        "deployment",
        "cilium-operator",
        "--namespace=kube-system",
        "io.cilium/app=operator");
  }

  /** Says of each Deployment at once that all its Pods are ready. */
  private final class DeploymentController implements ResourceEventHandler<Deployment> {
    @Override
    public void onAdd(Deployment deployment) {
      int replicas = deployment.getSpec().getReplicas();
      String status =
          """
          {"status": {"observedGeneration": %d, "replicas": %d, "updatedReplicas": %d,
            "readyReplicas": %d, "availableReplicas": %d}}
          """
              .formatted(
                  deployment.getMetadata().getGeneration(), replicas, replicas, replicas, replicas);
      client()
          .resource(deployment)
          .subresource("status")
          .patch(PatchContext.of(PatchType.JSON_MERGE), status);
    }

    @Override
    public void onUpdate(Deployment before, Deployment deployment) {
      onAdd(deployment);
    }

    @Override
    public void onDelete(Deployment deployment, boolean unknown) {
      // nothing is left of it
    }
  }

  /** The environment of a document's commands instead of a machine of their own. */
  Map<String, String> environment() {
    Map<String, String> environment = new HashMap<>();
    environment.put("HOME", home.toString());
    environment.put("KUBECONFIG", home.resolve(".kube/config").toString());
    environment.put(
        "PATH",
        String.join(
            ":",
            home.resolve("bin").toString(),
            ApiServer.binaries().toString(),
            System.getenv("PATH")));
    environment.put("TIDEMARK_PORT", "0");
    environment.put("TIDEMARK_IPAMD_SOCKET", home.resolve("ipamd.sock").toString());
    environment.put("TIDEMARK_CHECKPOINT_PATH", home.resolve("ipam.json").toString());
    environment.put("TIDEMARK_INTROSPECTION_ADDRESS", "127.0.0.1:0");
    environment.put("TIDEMARK_METRICS_ADDRESS", "127.0.0.1:0");
    return environment;
  }

  /** The environment with the emulated EC2; other modes refuse its settings. */
  Map<String, String> environmentOnEc2() {
    Map<String, String> environment = environment();
    String ec2 = cloud.endpoint().toString();
    environment.putAll(OperatorProcess.aws("111111111111"));
    environment.put("TIDEMARK_AWS_REGION", "eu-west-1");
    environment.put("TIDEMARK_EC2_API_ENDPOINT", ec2);
    environment.put("TIDEMARK_STS_API_ENDPOINT", ec2);
    environment.put(
        "TIDEMARK_AWS_METADATA_ENDPOINT", cloud.metadataEndpoint().orElseThrow().toString());
    return environment;
  }

  /** Starts an operator with its Pod, and blocks until every CiliumNode has its addresses. */
  void startOperator() throws IOException {
    String address = PodAddress.ofThisMachine();
    OperatorProcess started =
        OperatorProcess.start(
            environmentOnEc2(),
            List.of(
                "run",
                "--config-map=kube-system/cilium-config",
                "--leader-election-namespace=kube-system",
                "--listen=" + address));
    operator = started;
    String running = started.awaitLog(line -> line.contains("endpoints=http://"));
    createPod(address, running.substring(running.lastIndexOf(':') + 1).strip());
    started.awaitLog(line -> line.contains("node=worker-a state=ok"));
  }

  /** Ends the operator and its Pod. */
  void stopOperator() throws IOException {
    if (operator != null) {
      operator.close();
    }
    kubectl("delete", "pod", "operator", "--namespace=kube-system", "--force");
  }

  private void createPod(String address, String port) {
    String text =
        """
        apiVersion: v1
        kind: Pod
        metadata:
          name: operator
          namespace: kube-system
          labels: {app.kubernetes.io/name: tidemark-operator}
        spec:
          nodeName: worker-c
          hostNetwork: true
          containers:
          - name: operator
            image: tidemark-operator
            ports: [{name: metrics, containerPort: PORT, hostPort: PORT}]
        status:
          phase: Running
          hostIP: ADDRESS
          podIP: ADDRESS
          podIPs: [{ip: ADDRESS}]
        """
            .replace("PORT", port)
            .replace("ADDRESS", address);
    InputStream in = new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    Pod pod = client().pods().load(in).item();
    client().resource(pod).create();
    client().resource(pod).updateStatus();
  }

  @Override
  public void close() {
    if (operator != null) {
      operator.close();
    }
    cloud.close();
    admin.close();
    server.close();
  }
}
