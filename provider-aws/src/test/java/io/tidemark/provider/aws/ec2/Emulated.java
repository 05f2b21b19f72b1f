package io.tidemark.provider.aws.ec2;

import io.tidemark.emulator.ec2.Ec2Emulator;
import io.tidemark.emulator.ec2.http.InProcessClient;
import io.tidemark.emulator.ec2.model.Ec2ModelOptions;
import io.tidemark.emulator.ec2.types.Ec2InstanceTypes;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.PoolId;
import io.tidemark.time.VirtualTime;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.ec2.Ec2Client;

/** An emulated account with a VPC, a subnet and an instance, called by the SDK's client. */
@SuppressWarnings("unchecked") // the builders of the SDK take generic varargs
final class Emulated implements AutoCloseable {
  static final String ACCOUNT = "111111111111";
  static final long START_MILLIS = 1_767_225_600_000L;

  final RecordingHttp http;
  final Ec2Client ec2;
  final SdkEc2Api api;
  final String vpc;
  final PoolId subnet;

  private Emulated(SdkHttpClient http, URI endpoint, int pageSize) {
    this.http = new RecordingHttp(http);
    RenewableCredentials credentials = RenewableCredentials.fixed(account(ACCOUNT));
    this.ec2 = client(this.http, endpoint, credentials);
    this.api = new SdkEc2Api(ec2, credentials, pageSize);
    this.vpc =
        ec2.createVpc(r -> r.cidrBlock("10.0.0.0/16").amazonProvidedIpv6CidrBlock(true))
            .vpc()
            .vpcId();
    this.subnet = subnet("10.0.0.0/24");
  }

  static Ec2Emulator emulator() {
    return Ec2Emulator.in(
        new VirtualTime(START_MILLIS), Ec2ModelOptions.of(1, Ec2InstanceTypes.bundled()));
  }

  /** Without a socket. */
  static Emulated in(Ec2Emulator emulator, int pageSize) {
    return new Emulated(
        InProcessClient.of(emulator.handler()), URI.create("http://ec2.invalid"), pageSize);
  }

  static Emulated over(SdkHttpClient http, URI endpoint) {
    return new Emulated(http, endpoint, 0);
  }

  static AwsCredentialsProvider account(String id) {
    return StaticCredentialsProvider.create(AwsBasicCredentials.create(id, "secret"));
  }

  static Ec2Client client(SdkHttpClient http, URI endpoint, AwsCredentialsProvider credentials) {
    return Ec2Client.builder()
        .httpClient(http)
        .endpointOverride(endpoint)
        .region(Region.US_EAST_1)
        .credentialsProvider(credentials)
        .overrideConfiguration(o -> o.retryStrategy(AwsRetryStrategy.doNotRetry()))
        .build();
  }

  PoolId subnet(String block) {
    return new PoolId(ec2.createSubnet(r -> r.vpcId(vpc).cidrBlock(block)).subnet().subnetId());
  }

  InstanceId instance(String type) {
    return new InstanceId(
        ec2.runInstances(
                r ->
                    r.imageId("ami-0123456789abcdef0")
                        .instanceType(type)
                        .minCount(1)
                        .maxCount(1)
                        .subnetId(subnet.text()))
            .instances()
            .get(0)
            .instanceId());
  }

  CreateInterfaceRequest request(int singles, int prefixes, int ipv6Prefixes, String token) {
    return request(subnet, singles, prefixes, ipv6Prefixes, token);
  }

  CreateInterfaceRequest request(
      PoolId in, int singles, int prefixes, int ipv6Prefixes, String token) {
    return new CreateInterfaceRequest(
        in,
        "made by a test",
        List.of(defaultGroup()),
        Map.of("owner", "test", "empty", ""),
        singles,
        prefixes,
        ipv6Prefixes,
        ConnectionTracking.DEFAULT,
        token);
  }

  String defaultGroup() {
    return ec2.describeSecurityGroups(r -> r.filters(f -> f.name("vpc-id").values(vpc)))
        .securityGroups()
        .get(0)
        .groupId();
  }

  List<AwsNetworkInterface> read(Ec2Filter query) throws Ec2Failure {
    return api.describeNetworkInterfaces(query, Optional.empty()).items();
  }

  AwsNetworkInterface one(io.tidemark.spi.InterfaceId id) throws Ec2Failure {
    return read(Ec2Filter.of("network-interface-id", Set.of(id.text()))).get(0);
  }

  AwsNetworkInterface primaryOf(InstanceId instance) throws Ec2Failure {
    return read(Ec2Filter.ofInstances("attachment.instance-id", Set.of(instance))).get(0);
  }

  @Override
  public void close() {
    ec2.close();
  }
}
