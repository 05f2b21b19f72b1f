package io.tidemark.provider.aws.ec2;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.spi.PoolId;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.services.ec2.model.Ipv4PrefixSpecification;
import software.amazon.awssdk.services.ec2.model.Ipv6PrefixSpecification;
import software.amazon.awssdk.services.ec2.model.NetworkInterface;
import software.amazon.awssdk.services.ec2.model.NetworkInterfaceIpv6Address;
import software.amazon.awssdk.services.ec2.model.NetworkInterfacePrivateIpAddress;
import software.amazon.awssdk.services.ec2.model.SecurityGroupForVpc;
import software.amazon.awssdk.services.ec2.model.Subnet;

@DisplayName("Reading what EC2 answers")
@SuppressWarnings("unchecked") // the builders of the SDK take generic varargs
class AnswerParsingTest {
  /** An interface eni-1 of which EC2 tells this. */
  static AwsNetworkInterface read(UnaryOperator<NetworkInterface.Builder> how) {
    NetworkInterface.Builder answer =
        NetworkInterface.builder()
            .networkInterfaceId("eni-1")
            .subnetId("subnet-1")
            .privateIpAddress("10.0.0.5");
    return InterfaceAnswer.read(how.apply(answer).build()).orElseThrow();
  }

  private static Stream<String> words(String text) {
    return Stream.of(text.strip().split(" +")).filter(word -> !word.isEmpty());
  }

  @DisplayName("AWS-33 the IPv6 address: marked, else lowest assigned, else last of lowest block")
  @ParameterizedTest(name = "AWS-33 assigned [{0}] blocks [{1}] -> {2}")
  @CsvSource({
    "'', '', none",
    "'', 2001:db8:0:1::/80, 2001:db8:0:1:0:ffff:ffff:ffff",
    "'', 2001:db8:0:1:1::/80 2001:db8:0:1::/80, 2001:db8:0:1:0:ffff:ffff:ffff",
    "2001:db8::1, '', 2001:db8::1",
    "2001:db8::5 *2001:db8::9, '', 2001:db8::9",
    "2001:db8::9 2001:db8::5 2001:db8::7, '', 2001:db8::5",
    "2001:db8::5, 2001:db8::/80, 2001:db8::5"
  })
  void ipv6(String assigned, String blocks, String expected) {
    AwsNetworkInterface read =
        read(
            answer ->
                answer
                    .ipv6Addresses(
                        words(assigned)
                            .map(
                                word ->
                                    NetworkInterfaceIpv6Address.builder()
                                        .ipv6Address(word.replace("*", ""))
                                        .isPrimaryIpv6(word.startsWith("*"))
                                        .build())
                            .toList())
                    .ipv6Prefixes(
                        words(blocks)
                            .map(word -> Ipv6PrefixSpecification.builder().ipv6Prefix(word).build())
                            .toList()));
    assertThat(read.ipv6Address().map(IpAddress::toString).orElse("none")).isEqualTo(expected);
    assertThat(read.unreadable()).isEmpty();
  }

  @Test
  @DisplayName("AWS-33 what is no address or block is listed, and the rest is read")
  void malformed() {
    AwsNetworkInterface read =
        read(
            answer ->
                answer
                    .ipv6Addresses(
                        a -> a.ipv6Address("2001:db8::zz"), a -> a.ipv6Address("fe80::1"))
                    .ipv6Prefixes(p -> p.ipv6Prefix("2001:db8::1/80"))
                    .ipv4Prefixes(
                        Ipv4PrefixSpecification.builder().ipv4Prefix("10.0.0.16/33").build(),
                        Ipv4PrefixSpecification.builder().ipv4Prefix("10.0.0.32/28").build(),
                        Ipv4PrefixSpecification.builder().build())
                    .privateIpAddresses(
                        p -> p.privateIpAddress("10.0.0.5").primary(true),
                        p -> p.privateIpAddress("10.0.0.300").primary(false),
                        p -> p.privateIpAddress("10.0.0.6").primary(false)));
    assertThat(read.unreadable())
        .containsExactlyInAnyOrder(
            "2001:db8::zz", "2001:db8::1/80", "10.0.0.16/33", "", "10.0.0.300");
    assertThat(read.singles()).isEqualTo(AddressSet.of(IpAddress.parse("10.0.0.6")));
    assertThat(read.prefixes()).containsExactly(Cidr.parse("10.0.0.32/28"));
    assertThat(read.ipv6()).isEqualTo(AddressSet.of(IpAddress.parse("fe80::1")));
  }

  @DisplayName(
      "AWS-34 the public address: no association, none in it, and empty all mean none, what is none is listed as unreadable")
  @ParameterizedTest(name = "AWS-34 {0}")
  @CsvSource({
    "none, none, ''",
    "without, none, ''",
    "'', none, ''",
    "203.0.113.1, 203.0.113.1, ''",
    "nowhere, none, nowhere"
  })
  void publicAddress(String given, String expected, String unreadable) {
    AwsNetworkInterface read =
        read(
            answer ->
                switch (given) {
                  case "none" -> answer;
                  case "without" -> answer.association(a -> a.allocationId("eipalloc-1"));
                  default -> answer.association(a -> a.publicIp(given));
                });
    assertThat(read.publicAddress().map(IpAddress::toString).orElse("none")).isEqualTo(expected);
    assertThat(String.join(" ", read.unreadable())).isEqualTo(unreadable);
  }

  @Test
  @DisplayName("AWS-26 addresses that are listed beside their prefix count by the prefix alone")
  void expanded() {
    AwsNetworkInterface read =
        read(
            answer ->
                answer
                    .ipv4Prefixes(p -> p.ipv4Prefix("10.0.0.16/28"))
                    .privateIpAddresses(
                        Stream.concat(
                                IntStream.range(16, 32).mapToObj(last -> "10.0.0." + last),
                                Stream.of("10.0.1.5"))
                            .map(
                                each ->
                                    NetworkInterfacePrivateIpAddress.builder()
                                        .privateIpAddress(each)
                                        .primary(false)
                                        .build())
                            .toList()));
    assertThat(read.prefixes()).containsExactly(Cidr.parse("10.0.0.16/28"));
    assertThat(read.singles().toList()).containsExactly(IpAddress.parse("10.0.1.5"));
  }

  @Test
  @DisplayName("AWS-65 a /28 is its sixteen addresses, 10.0.0.0/8 is two halves")
  void sixteen() {
    AwsNetworkInterface read =
        read(answer -> answer.ipv4Prefixes(p -> p.ipv4Prefix("10.128.0.0/28")));
    AddressSet all = AddressSet.ofRange(read.prefixes().get(0));
    assertThat(all.size()).isEqualTo(16);
    assertThat(all.at(0)).isEqualTo(IpAddress.parse("10.128.0.0"));
    assertThat(all.at(15)).isEqualTo(IpAddress.parse("10.128.0.15"));
    assertThat(Cidr.parse("10.0.0.0/8").subnets(9))
        .containsExactly(Cidr.parse("10.0.0.0/9"), Cidr.parse("10.128.0.0/9"));
  }

  @Test
  @DisplayName("AWS-75 an interface without IPv4 is read as it is, at its place")
  void efaOnly() {
    AwsNetworkInterface read =
        read(
            answer ->
                answer
                    .privateIpAddress(null)
                    .interfaceType("efa-only")
                    .attachment(
                        a ->
                            a.attachmentId("eni-attach-1")
                                .instanceId("i-1")
                                .deviceIndex(1)
                                .networkCardIndex(2)));
    assertThat(read.type()).isEqualTo("efa-only");
    assertThat(read.primary()).isEmpty();
    assertThat(read.unreadable()).isEmpty();
    assertThat(read.attachment().orElseThrow().cardIndex()).isEqualTo(2);
    assertThat(read.addressesHeld()).isZero();
  }

  @Test
  @DisplayName("An interface of which nothing but the id is told is read")
  void almostNothing() {
    AwsNetworkInterface read =
        InterfaceAnswer.read(NetworkInterface.builder().networkInterfaceId("eni-1").build())
            .orElseThrow();
    assertThat(read.subnet()).isEqualTo(new PoolId("-"));
    assertThat(read.type()).isEmpty();
    assertThat(read.attachment()).isEmpty();
    assertThat(InterfaceAnswer.read(NetworkInterface.builder().build())).isEmpty();
  }

  @Test
  @DisplayName("An attachment of a service has no instance")
  void service() {
    AwsNetworkInterface read =
        read(answer -> answer.attachment(a -> a.attachmentId("ela-attach-1").deviceIndex(1)));
    assertThat(read.attachment().orElseThrow().instance()).isEmpty();
  }

  @Test
  @DisplayName("The primary address is no single, whether EC2 marks it or not")
  void primary() {
    AwsNetworkInterface read =
        read(
            answer ->
                answer.privateIpAddresses(
                    a -> a.privateIpAddress("10.0.0.5"),
                    a -> a.privateIpAddress("10.0.0.9").primary(false)));
    assertThat(read.primary()).contains(IpAddress.parse("10.0.0.5"));
    assertThat(read.singles()).isEqualTo(AddressSet.of(IpAddress.parse("10.0.0.9")));
  }

  @Test
  @DisplayName("A subnet is usable when it is available and not for IPv6 alone")
  void subnets() {
    assertThat(subnet("available", false, "10.0.0.0/24").orElseThrow().usable()).isTrue();
    assertThat(subnet("pending", false, "10.0.0.0/24").orElseThrow().usable()).isFalse();
    assertThat(subnet("available", true, "10.0.0.0/24").orElseThrow().usable()).isFalse();
    assertThat(subnet("available", false, "10.0.0.0/99")).isEmpty();
    assertThat(subnet("available", false, "2001:db8::/64")).isEmpty();
  }

  private static Optional<AwsSubnet> subnet(String state, boolean ipv6Native, String block) {
    return NetworkAnswers.subnet(
        Subnet.builder()
            .subnetId("subnet-1")
            .state(state)
            .ipv6Native(ipv6Native)
            .cidrBlock(block)
            .build());
  }

  @Test
  @DisplayName("Further blocks of a VPC count while they are associated")
  void vpcs() {
    Vpc vpc =
        NetworkAnswers.vpc(
                software.amazon.awssdk.services.ec2.model.Vpc.builder()
                    .vpcId("vpc-1")
                    .cidrBlock("10.0.0.0/16")
                    .cidrBlockAssociationSet(
                        a -> a.cidrBlock("10.0.0.0/16").cidrBlockState(s -> s.state("associated")),
                        a -> a.cidrBlock("10.2.0.0/16").cidrBlockState(s -> s.state("associated")),
                        a -> a.cidrBlock("10.3.0.0/16").cidrBlockState(s -> s.state("failed")),
                        a -> a.cidrBlock("10.4.0.0/16"))
                    .build())
            .orElseThrow();
    assertThat(vpc.cidrs()).containsExactly(Cidr.parse("10.2.0.0/16"));
  }

  @Test
  @DisplayName("A route table tells its subnets, and whether it is the main one")
  void routeTables() {
    RouteTable table =
        NetworkAnswers.routeTable(
                software.amazon.awssdk.services.ec2.model.RouteTable.builder()
                    .routeTableId("rtb-1")
                    .vpcId("vpc-1")
                    .associations(
                        a -> a.main(true).associationState(s -> s.state("associated")),
                        a -> a.subnetId("subnet-1").associationState(s -> s.state("associated")),
                        a -> a.subnetId("subnet-2").associationState(s -> s.state("failed")),
                        a -> a.subnetId("subnet-3"))
                    .build())
            .orElseThrow();
    assertThat(table.main()).isTrue();
    assertThat(table.subnets()).isEqualTo(Set.of(new PoolId("subnet-1"), new PoolId("subnet-3")));
  }

  @Test
  @DisplayName("A shared group keeps the VPC that it was asked for (91)")
  void sharedGroup() {
    SecurityGroup group =
        NetworkAnswers.group(
                SecurityGroupForVpc.builder()
                    .groupId("sg-1")
                    .primaryVpcId("vpc-of-the-owner")
                    .build(),
                "vpc-1")
            .orElseThrow();
    assertThat(group.vpcId()).isEqualTo("vpc-1");
  }
}
