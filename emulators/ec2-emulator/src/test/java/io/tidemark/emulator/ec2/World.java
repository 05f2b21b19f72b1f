package io.tidemark.emulator.ec2;

import io.tidemark.emulator.ec2.action.Actions;
import io.tidemark.emulator.ec2.imds.Imds;
import io.tidemark.emulator.ec2.model.Caller;
import io.tidemark.emulator.ec2.model.Ec2Model;
import io.tidemark.emulator.ec2.model.Ec2ModelOptions;
import io.tidemark.emulator.ec2.model.Region;
import io.tidemark.emulator.ec2.model.Reply;
import io.tidemark.emulator.ec2.protocol.Answer;
import io.tidemark.emulator.ec2.protocol.Ec2Error;
import io.tidemark.emulator.ec2.protocol.QueryForm;
import io.tidemark.emulator.ec2.protocol.Xml;
import io.tidemark.emulator.ec2.types.Ec2InstanceTypes;
import io.tidemark.http.HttpRequest;
import io.tidemark.http.HttpResponse;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/** A model with a clock of its own, and the calls that most rules need before they can be tried. */
public final class World {
  public static final String ACCOUNT = "111111111111";
  public static final String REGION = "us-east-1";
  public static final String IMAGE = "ami-0123456789abcdef0";

  /** Parameters of RunInstances. */
  public static final String ONE_OF_IMAGE = "ImageId=" + IMAGE + "&MinCount=1&MaxCount=1";

  private static final String NEXT = "&(?=[A-Z][A-Za-z0-9.]*=)";

  private final Ec2Model model;
  private Instant now;
  private String account = ACCOUNT;

  public World(Ec2ModelOptions options) {
    this(new Ec2Model(options, Actions.all()), Instant.parse("2026-01-01T00:00:00Z"));
  }

  private World(Ec2Model model, Instant now) {
    this.model = model;
    this.now = now;
  }

  /** The model of an emulator that nothing else calls meanwhile. */
  public static World of(Ec2Emulator emulator) {
    return emulator.handler().use(model -> new World(model, emulator.handler().now()));
  }

  public World() {
    this(options());
  }

  /** Everything at once, no throttling, the shipped instance types. */
  public static Ec2ModelOptions options() {
    return Ec2ModelOptions.of(1, Ec2InstanceTypes.bundled());
  }

  public Ec2Model model() {
    return model;
  }

  public Region region() {
    return model.region(REGION);
  }

  public Instant now() {
    return now;
  }

  public World pass(Duration time) {
    now = now.plus(time);
    return this;
  }

  /** Calls from now on come from this account. */
  public World as(String other) {
    account = other;
    return this;
  }

  /** Parameters as a query names them, joined by {@code &}, in one text or in several. */
  public Reply send(String action, String... parameters) {
    SortedMap<String, String> form = new TreeMap<>();
    form.put("Action", action);
    form.put("Version", Xml.VERSION);
    Stream.of(parameters)
        .filter(text -> !text.isEmpty())
        .flatMap(text -> Stream.of(text.split(NEXT)))
        .map(each -> each.split("=", 2))
        .forEach(each -> form.put(each[0], each[1]));
    return model.apply(new Caller(account, REGION, account), QueryForm.of(form), now);
  }

  /** The answer; an error fails the test, and so does a member that EC2 does not have. */
  public Answer call(String action, String... parameters) {
    return send(action, parameters)
        .result()
        .match(
            answer -> {
              ServiceModel.check(action, answer);
              return answer;
            },
            error -> {
              throw new AssertionError(action + " was refused: " + error);
            });
  }

  /** The refusal; an answer fails the test. */
  public Ec2Error refusal(String action, String... parameters) {
    return send(action, parameters)
        .result()
        .match(
            answer -> {
              throw new AssertionError(action + " was not refused: " + answer);
            },
            error -> error);
  }

  /** The id of the default security group of a VPC. */
  public String defaultGroup(String vpcId) {
    return text(
        call("DescribeSecurityGroups", filter(1, "vpc-id", vpcId)), "securityGroupInfo.0.groupId");
  }

  /** A new security group in this VPC. */
  public String group(String vpcId, String name) {
    String request = "GroupDescription=d&GroupName=" + name;
    return text(call("CreateSecurityGroup", request, "VpcId=" + vpcId), "groupId");
  }

  /** A VPC of this block. */
  public String vpc(String block) {
    return text(call("CreateVpc", "CidrBlock=" + block), "vpc.vpcId");
  }

  /** A subnet of this block in a VPC of the same block. */
  public String subnet(String block) {
    return subnet(vpc(block), block);
  }

  public String subnet(String vpcId, String block, String... more) {
    String request = "VpcId=" + vpcId + "&CidrBlock=" + block;
    return text(call("CreateSubnet", request, String.join("&", more)), "subnet.subnetId");
  }

  /** A subnet with the IPv4 block 10.0.0.0/24 and the IPv6 block 2600:1f18:0:100::/64. */
  public String dualStack() {
    String vpc =
        text(
            call("CreateVpc", "CidrBlock=10.0.0.0/24&AmazonProvidedIpv6CidrBlock=true"),
            "vpc.vpcId");
    return subnet(vpc, "10.0.0.0/24", "Ipv6CidrBlock=2600:1f18:0:100::/64");
  }

  /** A running instance in this subnet. */
  public String instance(String type, String subnetId) {
    return text(
        call("RunInstances", ONE_OF_IMAGE, "InstanceType=" + type + "&SubnetId=" + subnetId),
        "instancesSet.0.instanceId");
  }

  /** The id of the interface that the instance was launched with. */
  public String primaryInterface(String instanceId) {
    return interfaces("attachment.instance-id", instanceId).stream()
        .filter(shown -> text(shown, "attachment.deviceIndex").equals("0"))
        .map(shown -> text(shown, "networkInterfaceId"))
        .findFirst()
        .orElseThrow();
  }

  /** A new interface in this subnet, with more parameters. */
  public String interfaceId(String subnetId, String... more) {
    return text(
        call("CreateNetworkInterface", "SubnetId=" + subnetId, String.join("&", more)),
        "networkInterface.networkInterfaceId");
  }

  /** Attaches and returns the id of the attachment. */
  public String attach(String interfaceId, String instanceId, int device) {
    return text(
        call(
            "AttachNetworkInterface",
            "NetworkInterfaceId=" + interfaceId,
            "InstanceId=" + instanceId + "&DeviceIndex=" + device),
        "attachmentId");
  }

  /** The answer of DescribeNetworkInterfaces for one filter. */
  public List<Answer> interfaces(String filter, String... values) {
    return call("DescribeNetworkInterfaces", filter(1, filter, values))
        .structures("networkInterfaceSet");
  }

  /** The parameters of filter number {@code n} of a listing. */
  public static String filter(int n, String name, String... values) {
    StringBuilder out = new StringBuilder("Filter." + n + ".Name=" + name);
    for (int i = 0; i < values.length; i++) {
      out.append("&Filter." + n + ".Value." + (i + 1) + "=").append(values[i]);
    }
    return out.toString();
  }

  /** The interface as listed; empty when it is not. */
  public Optional<Answer> shown(String interfaceId) {
    return interfaces("network-interface-id", interfaceId).stream().findFirst();
  }

  /** The free addresses by DescribeSubnets. */
  public int available(String subnetId) {
    return Integer.parseInt(
        text(
            call("DescribeSubnets", "SubnetId.1=" + subnetId),
            "subnetSet.0.availableIpAddressCount"));
  }

  /** The texts that the answer of a call has at a path. */
  public List<String> told(String path, String action, String... parameters) {
    return texts(call(action, parameters), path);
  }

  /** The one text at the end of a path. */
  public static String text(Answer answer, String path) {
    return texts(answer, path).get(0);
  }

  /**
   * The texts at the end of a path of members and, in lists, of indexes, {@code *} for all items or
   * {@code #} for their number; {@code {a,b}} at the end stands for several paths.
   */
  public static List<String> texts(Answer answer, String path) {
    if (path.startsWith("{")) {
      return Stream.of(path.substring(1, path.length() - 1).split(",", -1))
          .flatMap(each -> texts(answer, each).stream())
          .toList();
    }
    String[] names = path.split("\\.", 2);
    if (names.length == 1) {
      return answer.text(path).stream().toList();
    }
    Optional<Answer> nested = answer.nested(names[0]);
    if (nested.isPresent()) {
      return texts(nested.orElseThrow(), names[1]);
    }
    List<Answer> items = answer.structures(names[0]);
    String[] index = names[1].split("\\.", 2);
    return switch (index[0]) {
      case "#" -> List.of(Integer.toString(items.size()));
      case "*" -> items.stream().flatMap(each -> texts(each, index[1]).stream()).toList();
      default ->
          items.isEmpty() ? List.of() : texts(items.get(Integer.parseInt(index[0])), index[1]);
    };
  }

  /**
   * The metadata service's text at a path, on one line, or its status when there is none.
   *
   * @param instance that the service is of; empty for the one that was launched first
   * @param path below the metadata, unless it begins with a slash
   */
  public String metadata(Optional<String> instance, String path) {
    Imds imds = new Imds(new Imds.Setting(instance, Optional.of("node")), 1);
    HttpRequest put =
        metadata("PUT", "/latest/api/token", "x-aws-ec2-metadata-token-ttl-seconds", "60");
    String token = body(imds.answer(put, model, now));
    String whole = path.startsWith("/") ? path : "/latest/meta-data/" + path;
    HttpResponse answer =
        imds.answer(metadata("GET", whole, "x-aws-ec2-metadata-token", token), model, now);
    return answer.status() == 200
        ? body(answer).replaceAll("\\s+", " ").strip()
        : Integer.toString(answer.status());
  }

  /** A request to the metadata service with this header. */
  public static HttpRequest metadata(String method, String path, String header, String value) {
    Map<String, String> headers = Map.of(header.toLowerCase(Locale.ROOT), value);
    return new HttpRequest(method, path, "", headers, InetAddress.getLoopbackAddress(), "");
  }

  public static String body(HttpResponse response) {
    return ((HttpResponse.Text) response.body()).text();
  }

  /** Equal for regions in which everything is the same. */
  public static String fingerprint(Region region) {
    StringBuilder out = new StringBuilder();
    region
        .tables()
        .forEach(table -> table.present().forEach(each -> out.append(each).append('\n')));
    return out.toString();
  }
}
