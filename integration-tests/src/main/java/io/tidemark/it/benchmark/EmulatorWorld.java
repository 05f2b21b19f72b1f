package io.tidemark.it.benchmark;

import io.tidemark.emulator.ec2.http.Ec2Handler;
import io.tidemark.emulator.ec2.http.InProcessClient;
import java.net.URI;
import java.util.function.Consumer;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.ec2.Ec2Client;
import software.amazon.awssdk.services.ec2.model.Filter;
import software.amazon.awssdk.services.ec2.model.InstanceType;
import software.amazon.awssdk.services.ec2.model.NetworkInterface;

/** Clients of the emulator, and what the figures of {@link EmulatorRun} ask it for. */
final class EmulatorWorld {
  /** Calls of one {@link #round}. */
  static final int CALLS_PER_ROUND = 7;

  /** The endpoint of clients that use no socket. */
  static final URI NOWHERE = URI.create("http://ec2.invalid");

  private static final String IMAGE = "ami-0123456789abcdef0";

  private EmulatorWorld() {}

  /** A client without sockets; the caller closes it. */
  static Ec2Client inProcess(Ec2Handler handler) {
    return client(InProcessClient.of(handler), NOWHERE);
  }

  /** A client of a port; the caller closes it. */
  static Ec2Client overHttp(URI endpoint) {
    return client(UrlConnectionHttpClient.create(), endpoint);
  }

  static Ec2Client client(SdkHttpClient http, URI endpoint) {
    return Ec2Client.builder()
        .endpointOverride(endpoint)
        .region(Region.US_EAST_1)
        .credentialsProvider(
            StaticCredentialsProvider.create(AwsBasicCredentials.create("111111111111", "any")))
        .httpClient(http)
        .overrideConfiguration(c -> c.retryStrategy(AwsRetryStrategy.doNotRetry()))
        .build();
  }

  /** A subnet of 65,531 addresses. */
  static String subnet(Ec2Client ec2) {
    String vpc = ec2.createVpc(r -> r.cidrBlock("10.0.0.0/16")).vpc().vpcId();
    return ec2.createSubnet(r -> r.vpcId(vpc).cidrBlock("10.0.0.0/16")).subnet().subnetId();
  }

  static String instance(Ec2Client ec2, String subnet) {
    return ec2.runInstances(
            r ->
                r.imageId(IMAGE)
                    .instanceType(InstanceType.M5_LARGE)
                    .minCount(1)
                    .maxCount(1)
                    .subnetId(subnet))
        .instances()
        .get(0)
        .instanceId();
  }

  /** Interfaces that are attached to nothing, with three addresses each. */
  static void fill(Ec2Client ec2, String subnet, int interfaces) {
    for (int i = 0; i < interfaces; i++) {
      ec2.createNetworkInterface(r -> r.subnetId(subnet).secondaryPrivateIpAddressCount(2));
    }
  }

  /** A new interface at device index 1. */
  static String attached(Ec2Client ec2, String subnet, String instance) {
    String eni =
        ec2.createNetworkInterface(r -> r.subnetId(subnet)).networkInterface().networkInterfaceId();
    ec2.attachNetworkInterface(r -> r.networkInterfaceId(eni).instanceId(instance).deviceIndex(1));
    return eni;
  }

  /** The work of an address manager: seven calls that leave the instance as it was. */
  static void round(Ec2Client ec2, String subnet, String instance) {
    String eni = attached(ec2, subnet, instance);
    String attachment = onOneInterface(ec2, eni, instance);
    ec2.detachNetworkInterface(r -> r.attachmentId(attachment));
    ec2.deleteNetworkInterface(r -> r.networkInterfaceId(eni));
  }

  /** Three calls that leave the interface as it was; the id of its attachment. */
  static String onOneInterface(Ec2Client ec2, String eni, String instance) {
    String address =
        ec2.assignPrivateIpAddresses(
                r -> r.networkInterfaceId(eni).secondaryPrivateIpAddressCount(1))
            .assignedPrivateIpAddresses()
            .get(0)
            .privateIpAddress();
    NetworkInterface shown =
        ec2
            .describeNetworkInterfaces(
                r -> r.filters(filter("attachment.instance-id", instance)).maxResults(1000))
            .networkInterfaces()
            .stream()
            .filter(one -> one.networkInterfaceId().equals(eni))
            .findFirst()
            .orElseThrow();
    ec2.unassignPrivateIpAddresses(r -> r.networkInterfaceId(eni).privateIpAddresses(address));
    return shown.attachment().attachmentId();
  }

  /** Goes through all interfaces by pages of a thousand; tells how many there are. */
  static int readAll(Ec2Client ec2) {
    int[] read = {0};
    Consumer<NetworkInterface> count = one -> read[0]++;
    ec2.describeNetworkInterfacesPaginator(r -> r.maxResults(1000)).networkInterfaces().stream()
        .forEach(count);
    return read[0];
  }

  private static Filter filter(String name, String value) {
    return Filter.builder().name(name).values(value).build();
  }
}
