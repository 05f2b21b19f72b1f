package io.tidemark.emulator.ec2;

import io.tidemark.emulator.ec2.action.Actions;
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
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** A model with a clock of its own, and the calls that most rules need before they can be tried. */
public final class World {
  public static final String ACCOUNT = "111111111111";
  public static final String REGION = "us-east-1";
  public static final String IMAGE = "ami-0123456789abcdef0";

  private final Ec2Model model;
  private Instant now = Instant.parse("2026-01-01T00:00:00Z");
  private String account = ACCOUNT;

  public World(Ec2ModelOptions options) {
    this.model = new Ec2Model(options, Actions.all());
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

  /** Names and values in turns. */
  public Reply send(String action, String... parameters) {
    SortedMap<String, String> form = new TreeMap<>();
    form.put("Action", action);
    form.put("Version", Xml.VERSION);
    for (int i = 0; i < parameters.length; i += 2) {
      form.put(parameters[i], parameters[i + 1]);
    }
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
    return call("DescribeSecurityGroups", "Filter.1.Name", "vpc-id", "Filter.1.Value.1", vpcId)
        .structures("securityGroupInfo")
        .get(0)
        .text("groupId")
        .orElseThrow();
  }

  /** A VPC of this block. */
  public String vpc(String block) {
    return call("CreateVpc", "CidrBlock", block).nested("vpc").orElseThrow().text("vpcId").get();
  }

  /** A subnet of this block in a VPC of the same block. */
  public String subnet(String block) {
    return subnet(vpc(block), block);
  }

  public String subnet(String vpcId, String block) {
    return call("CreateSubnet", "VpcId", vpcId, "CidrBlock", block)
        .nested("subnet")
        .orElseThrow()
        .text("subnetId")
        .orElseThrow();
  }

  /** A running instance in this subnet. */
  public String instance(String type, String subnetId) {
    Answer launch =
        call(
            "RunInstances",
            "ImageId",
            IMAGE,
            "InstanceType",
            type,
            "MinCount",
            "1",
            "MaxCount",
            "1",
            "SubnetId",
            subnetId);
    return launch.structures("instancesSet").get(0).text("instanceId").orElseThrow();
  }

  /** The id of the interface that the instance was launched with. */
  public String primaryInterface(String instanceId) {
    return interfaces("attachment.instance-id", instanceId).stream()
        .filter(
            shown ->
                shown
                    .nested("attachment")
                    .orElseThrow()
                    .text("deviceIndex")
                    .orElseThrow()
                    .equals("0"))
        .findFirst()
        .orElseThrow()
        .text("networkInterfaceId")
        .orElseThrow();
  }

  /** A new interface in this subnet, with more parameters. */
  public Answer createInterface(String subnetId, String... more) {
    String[] parameters = new String[more.length + 2];
    parameters[0] = "SubnetId";
    parameters[1] = subnetId;
    System.arraycopy(more, 0, parameters, 2, more.length);
    return call("CreateNetworkInterface", parameters).nested("networkInterface").orElseThrow();
  }

  public String interfaceId(String subnetId, String... more) {
    return createInterface(subnetId, more).text("networkInterfaceId").orElseThrow();
  }

  /** Attaches and returns the id of the attachment. */
  public String attach(String interfaceId, String instanceId, int device) {
    return call(
            "AttachNetworkInterface",
            "NetworkInterfaceId",
            interfaceId,
            "InstanceId",
            instanceId,
            "DeviceIndex",
            Integer.toString(device))
        .text("attachmentId")
        .orElseThrow();
  }

  /** The answer of DescribeNetworkInterfaces for one filter. */
  public List<Answer> interfaces(String filter, String... values) {
    String[] parameters = new String[2 + 2 * values.length];
    parameters[0] = "Filter.1.Name";
    parameters[1] = filter;
    for (int i = 0; i < values.length; i++) {
      parameters[2 + 2 * i] = "Filter.1.Value." + (i + 1);
      parameters[3 + 2 * i] = values[i];
    }
    return call("DescribeNetworkInterfaces", parameters).structures("networkInterfaceSet");
  }

  /** The interface as listed; empty when it is not. */
  public Optional<Answer> shown(String interfaceId) {
    return interfaces("network-interface-id", interfaceId).stream().findFirst();
  }

  /** The free addresses by DescribeSubnets. */
  public int available(String subnetId) {
    return Integer.parseInt(
        call("DescribeSubnets", "SubnetId.1", subnetId)
            .structures("subnetSet")
            .get(0)
            .text("availableIpAddressCount")
            .orElseThrow());
  }

  /** The texts of one member in a list of structures. */
  public static List<String> texts(Answer answer, String list, String member) {
    return answer.structures(list).stream().map(one -> one.text(member).orElseThrow()).toList();
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
