package io.tidemark.it.localstack;

import static io.tidemark.it.localstack.SdkValues.filter;

import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.ec2.Ec2Client;
import software.amazon.awssdk.services.ec2.model.AssignIpv6AddressesRequest;
import software.amazon.awssdk.services.ec2.model.AssignIpv6AddressesResponse;
import software.amazon.awssdk.services.ec2.model.AssignPrivateIpAddressesRequest;
import software.amazon.awssdk.services.ec2.model.AssignPrivateIpAddressesResponse;
import software.amazon.awssdk.services.ec2.model.CreateNetworkInterfaceRequest;
import software.amazon.awssdk.services.ec2.model.DescribeNetworkInterfacesRequest;
import software.amazon.awssdk.services.ec2.model.Instance;
import software.amazon.awssdk.services.ec2.model.InstanceType;
import software.amazon.awssdk.services.ec2.model.ModifyNetworkInterfaceAttributeRequest;
import software.amazon.awssdk.services.ec2.model.NetworkInterface;
import software.amazon.awssdk.services.ec2.model.RunInstancesRequest;
import software.amazon.awssdk.services.ec2.model.UnassignIpv6AddressesRequest;
import software.amazon.awssdk.services.ec2.model.UnassignPrivateIpAddressesRequest;
import software.amazon.awssdk.services.ec2.model.Vpc;

/**
 * An account of its own on one server, and the calls that most questions need first. For one
 * thread.
 */
final class Scene {
  static final String IMAGE = "ami-0123456789abcdef0";
  static final String ZONE = "us-east-1a";
  static final String OTHER_ZONE = "us-east-1b";

  private static final Pattern CODE = Pattern.compile("<Code>([^<]*)</Code>");

  /** One for each server: to make a client costs more than what a scene asks. */
  private static final Map<URI, Ec2Client> CLIENTS = new ConcurrentHashMap<>();

  /** The account of the scene whose requests this thread sends. */
  private static final ThreadLocal<String> ASKING = ThreadLocal.withInitial(() -> "");

  private final URI endpoint;
  private final String account;
  private @Nullable String vpc;
  private @Nullable String subnet;
  private @Nullable String instance;

  Scene(URI endpoint, String account) {
    this.endpoint = endpoint;
    this.account = account;
  }

  /** For requests of this thread, until another scene is asked for its own. */
  Ec2Client ec2() {
    ASKING.set(account);
    return CLIENTS.computeIfAbsent(endpoint, at -> LocalStack.ec2(at, ASKING::get));
  }

  /** Another account of the same server. */
  Scene neighbour() {
    return new Scene(endpoint, "9" + account.substring(1));
  }

  String account() {
    return account;
  }

  /** Its own one, which is made when it is first asked for. */
  String vpc() {
    if (vpc == null) {
      vpc = vpc("10.0.0.0/16");
    }
    return vpc;
  }

  String vpc(String block) {
    return ec2().createVpc(r -> r.cidrBlock(block)).vpc().vpcId();
  }

  /** A VPC with a block of Amazon's IPv6 space. */
  String dualStackVpc() {
    return ec2()
        .createVpc(r -> r.cidrBlock("10.0.0.0/16").amazonProvidedIpv6CidrBlock(true))
        .vpc()
        .vpcId();
  }

  /** The first /64 of the VPC's IPv6 block. */
  String firstIpv6Block(String vpc) {
    Vpc made = ec2().describeVpcs(r -> r.vpcIds(vpc)).vpcs().get(0);
    return made.ipv6CidrBlockAssociationSet().get(0).ipv6CidrBlock().replaceFirst("/.*", "/64");
  }

  /** A subnet with an IPv6 block, in a VPC of its own. */
  String dualStackSubnet() {
    String vpc = dualStackVpc();
    return ec2()
        .createSubnet(r -> r.vpcId(vpc).cidrBlock("10.0.1.0/24").ipv6CidrBlock(firstIpv6Block(vpc)))
        .subnet()
        .subnetId();
  }

  /** Its own one, which is made when it is first asked for. */
  String subnet() {
    if (subnet == null) {
      subnet = subnet("10.0.1.0/24");
    }
    return subnet;
  }

  /** A new one in the scene's VPC. */
  String subnet(String block) {
    return subnet(block, ZONE);
  }

  String subnet(String block, String zone) {
    return ec2()
        .createSubnet(r -> r.vpcId(vpc()).cidrBlock(block).availabilityZone(zone))
        .subnet()
        .subnetId();
  }

  int free(String subnet) {
    return ec2()
        .describeSubnets(r -> r.subnetIds(subnet))
        .subnets()
        .get(0)
        .availableIpAddressCount();
  }

  String group(String name) {
    return group(vpc(), name);
  }

  String group(String vpc, String name) {
    return ec2().createSecurityGroup(r -> r.vpcId(vpc).groupName(name).description(name)).groupId();
  }

  /** A new interface in the scene's subnet. */
  String eni() {
    return eni(r -> {});
  }

  String eni(Consumer<CreateNetworkInterfaceRequest.Builder> more) {
    return eni(subnet(), more);
  }

  String dualStackEni(Consumer<CreateNetworkInterfaceRequest.Builder> more) {
    return eni(dualStackSubnet(), more);
  }

  String eni(String subnet) {
    return eni(subnet, r -> {});
  }

  String eni(String subnet, Consumer<CreateNetworkInterfaceRequest.Builder> more) {
    return created(subnet, more).networkInterfaceId();
  }

  NetworkInterface created(String subnet, Consumer<CreateNetworkInterfaceRequest.Builder> more) {
    return ec2()
        .createNetworkInterface(
            r -> {
              r.subnetId(subnet);
              more.accept(r);
            })
        .networkInterface();
  }

  AssignPrivateIpAddressesResponse assign(
      String eni, Consumer<AssignPrivateIpAddressesRequest.Builder> what) {
    return ec2().assignPrivateIpAddresses(r -> what.accept(r.networkInterfaceId(eni)));
  }

  void unassign(String eni, Consumer<UnassignPrivateIpAddressesRequest.Builder> what) {
    ec2().unassignPrivateIpAddresses(r -> what.accept(r.networkInterfaceId(eni)));
  }

  AssignIpv6AddressesResponse assignIpv6(
      String eni, Consumer<AssignIpv6AddressesRequest.Builder> what) {
    return ec2().assignIpv6Addresses(r -> what.accept(r.networkInterfaceId(eni)));
  }

  void unassignIpv6(String eni, Consumer<UnassignIpv6AddressesRequest.Builder> what) {
    ec2().unassignIpv6Addresses(r -> what.accept(r.networkInterfaceId(eni)));
  }

  void change(String eni, Consumer<ModifyNetworkInterfaceAttributeRequest.Builder> what) {
    ec2().modifyNetworkInterfaceAttribute(r -> what.accept(r.networkInterfaceId(eni)));
  }

  List<NetworkInterface> enis(Consumer<DescribeNetworkInterfacesRequest.Builder> which) {
    return ec2().describeNetworkInterfaces(which).networkInterfaces();
  }

  NetworkInterface shown(String eni) {
    return enis(r -> r.networkInterfaceIds(eni)).get(0);
  }

  List<NetworkInterface> shownBy(String name, String value) {
    return enis(r -> r.filters(filter(name, value)));
  }

  /** Its own one in its subnet, which is launched when it is first asked for. */
  String instance() {
    if (instance == null) {
      instance = instance(InstanceType.M5_LARGE);
    }
    return instance;
  }

  /** A new one in the scene's subnet. */
  String instance(InstanceType type) {
    return launched(r -> r.instanceType(type).subnetId(subnet())).instanceId();
  }

  Instance launched(Consumer<RunInstancesRequest.Builder> more) {
    return ec2()
        .runInstances(
            r -> {
              r.imageId(IMAGE).instanceType(InstanceType.M5_LARGE).minCount(1).maxCount(1);
              more.accept(r);
            })
        .instances()
        .get(0);
  }

  String primary(String instance) {
    return shownBy("attachment.instance-id", instance).stream()
        .filter(one -> one.attachment().deviceIndex() == 0)
        .findFirst()
        .orElseThrow()
        .networkInterfaceId();
  }

  /** The id of the attachment. */
  String attach(String eni, String instance, int device) {
    return ec2()
        .attachNetworkInterface(
            r -> r.networkInterfaceId(eni).instanceId(instance).deviceIndex(device))
        .attachmentId();
  }

  void detach(String attachment) {
    ec2().detachNetworkInterface(r -> r.attachmentId(attachment));
  }

  void stop(String instance) {
    ec2().stopInstances(r -> r.instanceIds(instance));
  }

  void terminate(String instance) {
    ec2().terminateInstances(r -> r.instanceIds(instance));
  }

  /** A query request that no SDK would send: the code it is refused with, or its HTTP status. */
  String raw(String form) {
    return raw(
        form,
        "AWS4-HMAC-SHA256 Credential="
            + account
            + "/20260101/us-east-1/ec2/aws4_request, SignedHeaders=host, Signature=0");
  }

  /** The same with this Authorization header; empty text for none. */
  String raw(String form, String authorization) {
    try {
      HttpURLConnection connection = (HttpURLConnection) endpoint.toURL().openConnection();
      connection.setRequestMethod("POST");
      connection.setDoOutput(true);
      connection.setRequestProperty("Content-Type", "application/x-www-form-urlencoded");
      if (!authorization.isEmpty()) {
        connection.setRequestProperty("Authorization", authorization);
      }
      connection.getOutputStream().write(form.getBytes(StandardCharsets.UTF_8));
      int status = connection.getResponseCode();
      if (status < 400) {
        return "done";
      }
      try (InputStream error = connection.getErrorStream()) {
        Matcher code =
            CODE.matcher(
                error == null ? "" : new String(error.readAllBytes(), StandardCharsets.UTF_8));
        return code.find() ? "`" + code.group(1) + "`" : "HTTP " + status;
      }
    } catch (IOException e) {
      throw new IllegalStateException("no answer from " + endpoint, e);
    }
  }
}
