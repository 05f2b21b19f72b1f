package io.tidemark.it.localstack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.ec2.Ec2Client;
import software.amazon.awssdk.services.ec2.model.Ec2Exception;
import software.amazon.awssdk.services.ec2.model.Filter;
import software.amazon.awssdk.services.ec2.model.NetworkInterface;
import software.amazon.awssdk.services.ec2.model.NetworkInterfacePrivateIpAddress;

@Tag(LocalStack.TAG)
@DisplayName("LocalStack, asked by the AWS SDK")
class LocalStackTest {
  private Ec2Client ec2;

  @BeforeEach
  void connect() {
    ec2 = LocalStack.ec2("100000000001");
  }

  @AfterEach
  void disconnect() {
    ec2.close();
  }

  @Test
  @DisplayName("finds the interface that was made in a subnet, until it is deleted")
  void interfaceLife() {
    String vpc = ec2.createVpc(r -> r.cidrBlock("10.20.0.0/16")).vpc().vpcId();
    String subnet =
        ec2.createSubnet(r -> r.vpcId(vpc).cidrBlock("10.20.1.0/24")).subnet().subnetId();

    NetworkInterface made =
        ec2.createNetworkInterface(
                r ->
                    r.subnetId(subnet)
                        .description("of the smoke test")
                        .secondaryPrivateIpAddressCount(3))
            .networkInterface();
    assertThat(made.networkInterfaceId()).startsWith("eni-");
    assertThat(made.vpcId()).isEqualTo(vpc);

    NetworkInterface found = inSubnet(subnet).get(0);
    assertThat(inSubnet(subnet)).hasSize(1);
    assertThat(found.networkInterfaceId()).isEqualTo(made.networkInterfaceId());
    assertThat(found.description()).isEqualTo("of the smoke test");
    assertThat(found.statusAsString()).isEqualTo("available");
    assertThat(found.privateIpAddresses())
        .hasSize(4)
        .extracting(NetworkInterfacePrivateIpAddress::privateIpAddress)
        .allSatisfy(address -> assertThat(address).startsWith("10.20.1."));
    assertThat(found.privateIpAddresses())
        .filteredOn(NetworkInterfacePrivateIpAddress::primary)
        .hasSize(1);

    ec2.deleteNetworkInterface(r -> r.networkInterfaceId(made.networkInterfaceId()));
    assertThat(inSubnet(subnet)).isEmpty();
    assertThatThrownBy(
            () -> ec2.deleteNetworkInterface(r -> r.networkInterfaceId(made.networkInterfaceId())))
        .isInstanceOfSatisfying(
            Ec2Exception.class,
            refused ->
                assertThat(refused.awsErrorDetails().errorCode())
                    .isEqualTo("InvalidNetworkInterfaceID.NotFound"));
  }

  private List<NetworkInterface> inSubnet(String subnet) {
    Filter ofSubnet = Filter.builder().name("subnet-id").values(subnet).build();
    return ec2.describeNetworkInterfaces(r -> r.filters(ofSubnet)).networkInterfaces();
  }
}
