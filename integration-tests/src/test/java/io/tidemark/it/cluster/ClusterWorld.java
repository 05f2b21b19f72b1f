package io.tidemark.it.cluster;

import io.tidemark.emulator.ec2.Ec2Emulator;
import io.tidemark.emulator.ec2.ListenOptions;
import io.tidemark.emulator.ec2.imds.Imds;
import io.tidemark.emulator.ec2.scenario.Ec2ScenarioYaml;
import io.tidemark.emulator.ec2.types.Ec2InstanceTypes;
import io.tidemark.it.program.OperatorProcess;
import io.tidemark.kubernetes.ClusterConnection;
import io.tidemark.kubernetes.server.ApiServer;
import io.tidemark.kubernetes.server.ApiServer.User;
import io.tidemark.kubernetes.server.CiliumNodes;
import io.tidemark.testing.Hang;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.ec2.Ec2Client;
import software.amazon.awssdk.services.ec2.model.Instance;
import software.amazon.awssdk.services.ec2.model.Ipv4PrefixSpecification;
import software.amazon.awssdk.services.ec2.model.NetworkInterface;
import software.amazon.awssdk.services.ec2.model.Tag;

/** An API server, an EC2 with instances, their CiliumNodes, and operators that come and go. */
final class ClusterWorld implements AutoCloseable {
  private static final String ACCOUNT = "111111111111";
  private static final String CLUSTER = "--cluster-name=example";

  final ApiServer server;
  final ClusterConnection admin;
  final CiliumNodes nodes;
  private final Ec2Emulator.Listening cloud;
  private final Ec2Client ec2;
  private final Path folder;
  private final List<ClusterOperator> operators = new ArrayList<>();
  private final List<String> names = new ArrayList<>();

  /** Ids of the instances of the nodes, in the order of the nodes. */
  final List<String> instances;

  /** With that many m5.large nodes: node-0, node-1 and so on. */
  ClusterWorld(Path folder, int count, String ipam) throws IOException {
    this.folder = folder;
    this.server = ApiServer.start();
    this.admin = server.connect(User.ADMIN);
    this.nodes = new CiliumNodes(admin);
    this.cloud =
        Ec2Emulator.listen(
            ListenOptions.of(
                    0,
                    Ec2ScenarioYaml.read(scenario(count), Ec2InstanceTypes.bundled())
                        .scenario()
                        .orElseThrow())
                .withMetadata(0, new Imds.Setting(Optional.empty(), Optional.empty())));
    this.ec2 =
        Ec2Client.builder()
            .endpointOverride(cloud.endpoint())
            .region(Region.EU_WEST_1)
            .credentialsProvider(
                StaticCredentialsProvider.create(AwsBasicCredentials.create(ACCOUNT, "any")))
            .httpClientBuilder(UrlConnectionHttpClient.builder().socketTimeout(Hang.LIMIT))
            .build();
    List<Instance> launched =
        ec2.describeInstances().reservations().stream()
            .flatMap(each -> each.instances().stream())
            .toList();
    this.instances = launched.stream().map(Instance::instanceId).toList();
    for (int i = 0; i < count; i++) {
      create("node-" + i, launched.get(i), ipam);
    }
  }

  private Path scenario(int count) throws IOException {
    StringBuilder text =
        new StringBuilder(
            """
            seed: 1
            account: "111111111111"
            region: eu-west-1
            vpcs:
              - name: cluster
                cidr: 10.0.0.0/16
                subnets:
                  - {name: nodes-a, zone: eu-west-1a, cidr: 10.0.0.0/20}
            instances:
            """);
    IntStream.range(0, count)
        .forEach(
            i ->
                text.append("  - {name: node-")
                    .append(i)
                    .append(", subnet: nodes-a, type: m5.large}\n"));
    Path file = folder.resolve("ec2.yaml");
    Files.writeString(file, text);
    return file;
  }

  private void create(String name, Instance instance, String ipam) {
    String text =
        """
        {"apiVersion":"cilium.io/v2","kind":"CiliumNode","metadata":{"name":"NAME"},
         "spec":{"instance-id":"INSTANCE","ipam":{IPAM},"eni":{
           "availability-zone":"eu-west-1a","first-interface-index":0,
           "instance-type":"m5.large","node-subnet-id":"SUBNET","vpc-id":"VPC"}}}
        """
            .replace("NAME", name)
            .replace("INSTANCE", instance.instanceId())
            .replace("SUBNET", instance.subnetId())
            .replace("VPC", instance.vpcId())
            .replace("IPAM", ipam);
    nodes.create(text);
    names.add(name);
  }

  /** Runs a command to its end. */
  OperatorProcess.Result command(String name, String... more) throws IOException {
    List<String> arguments = new ArrayList<>(List.of(name));
    arguments.addAll(settings());
    arguments.add(CLUSTER);
    arguments.addAll(List.of(more));
    return OperatorProcess.run(OperatorProcess.aws(ACCOUNT), arguments);
  }

  private List<String> settings() throws IOException {
    return List.of(
        "--provider=aws",
        "--kubeconfig=" + server.kubeconfig(User.ADMIN),
        "--aws-region=eu-west-1",
        "--ec2-api-endpoint=" + cloud.endpoint(),
        "--sts-api-endpoint=" + cloud.endpoint());
  }

  /** Starts an operator of the engine; its log is in a file of that name. */
  ClusterOperator operator(String name, String... more) throws IOException {
    return start(name, NodesFigures.concat(List.of(CLUSTER), more));
  }

  /** Starts an operator with these settings and those of the cloud. */
  ClusterOperator start(String name, List<String> more) throws IOException {
    List<String> arguments = new ArrayList<>(settings());
    arguments.add("--port=0");
    arguments.addAll(more);
    ClusterOperator operator =
        ClusterOperator.start(folder.resolve(name + ".log"), ACCOUNT, arguments);
    operators.add(operator);
    return operator;
  }

  /** Starts the operator of Cilium in mode eni; its log is in a file of that name. */
  ClusterOperator cilium(String name) throws IOException {
    return cilium(name, Map.of());
  }

  /** The same with these variables in its environment. */
  ClusterOperator cilium(String name, Map<String, String> environment) throws IOException {
    ClusterOperator operator =
        ClusterOperator.cilium(
            folder.resolve(name + ".log"), server.kubeconfig(User.ADMIN), cloud, environment);
    operators.add(operator);
    return operator;
  }

  List<String> names() {
    return List.copyOf(names);
  }

  /** Requests of EC2 that change something, so far. */
  long mutations() {
    return requests(name -> !name.startsWith("Describe") && !name.startsWith("Get"));
  }

  /** Requests of EC2 so far, of those with such names. */
  long requests(Predicate<String> named) {
    return cloud.emulator().handler().use(model -> model.counts().byAction()).entrySet().stream()
        .filter(each -> named.test(each.getKey()))
        .mapToLong(each -> each.getValue().calls())
        .sum();
  }

  /** Assigns a prefix to the first interface of an instance, as any other program can. */
  void assignPrefix(String instance, String prefix) {
    String eni = own(instance).networkInterfaceId();
    ec2.assignPrivateIpAddresses(request -> request.networkInterfaceId(eni).ipv4Prefixes(prefix));
  }

  /** The prefixes of the first interface of an instance. */
  List<String> prefixes(String instance) {
    return own(instance).ipv4Prefixes().stream().map(Ipv4PrefixSpecification::ipv4Prefix).toList();
  }

  private NetworkInterface own(String instance) {
    return interfaces().stream()
        .filter(each -> each.attachment() != null)
        .filter(each -> each.attachment().instanceId().equals(instance))
        .filter(each -> each.attachment().deviceIndex() == 0)
        .findFirst()
        .orElseThrow();
  }

  /** Every interface that EC2 has. */
  List<NetworkInterface> interfaces() {
    return ec2.describeNetworkInterfaces().networkInterfaces();
  }

  /** Values of a tag of the interfaces that an operator made. */
  List<String> tagsOfMade(String key) {
    return interfaces().stream()
        .filter(each -> each.attachment() == null || each.attachment().deviceIndex() > 0)
        .map(
            each ->
                each.tagSet().stream()
                    .filter(tag -> tag.key().equals(key))
                    .map(Tag::value)
                    .findFirst()
                    .orElse(""))
        .toList();
  }

  /** The UID of kube-system. */
  String uid() {
    return admin.client().namespaces().withName("kube-system").get().getMetadata().getUid();
  }

  /** Secondary addresses that EC2 has, with the interfaces they are on. */
  SortedMap<String, String> addresses() {
    SortedMap<String, String> all = new TreeMap<>();
    for (NetworkInterface each : interfaces()) {
      each.privateIpAddresses().stream()
          .filter(address -> !address.primary())
          .forEach(address -> all.put(address.privateIpAddress(), each.networkInterfaceId()));
    }
    return all;
  }

  @Override
  public void close() {
    operators.forEach(ClusterOperator::close);
    ec2.close();
    cloud.close();
    admin.close();
    server.close();
  }
}
