package io.tidemark.provider.aws.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.provider.aws.ec2.Ec2Operation;
import io.tidemark.resource.NodeResource;
import io.tidemark.testing.Repository;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Permissions")
class PermissionsTest {
  private static final String POLICY = Repository.text("deploy/aws/policy.json");

  @Test
  @DisplayName("that a feature needs are looked at when it is used")
  void byFeature() {
    assertThat(Permissions.needed(Set.of()))
        .contains(Ec2Operation.ASSIGN_PRIVATE_IP_ADDRESSES, Ec2Operation.DELETE_NETWORK_INTERFACE)
        .doesNotContain(
            Ec2Operation.UNASSIGN_PRIVATE_IP_ADDRESSES,
            Ec2Operation.DETACH_NETWORK_INTERFACE,
            Ec2Operation.ASSIGN_IPV6_ADDRESSES,
            Ec2Operation.DESCRIBE_ADDRESSES,
            Ec2Operation.ASSOCIATE_ADDRESS,
            Ec2Operation.DESCRIBE_TAGS,
            Ec2Operation.CREATE_NETWORK_INTERFACE_PERMISSION);
  }

  @Test
  @DisplayName("of all features are those of every operation that we use, once each")
  void all() {
    List<Ec2Operation> all = Permissions.needed(EnumSet.allOf(Feature.class));

    assertThat(all).doesNotHaveDuplicates();
    assertThat(EnumSet.copyOf(all)).isEqualTo(EnumSet.allOf(Ec2Operation.class));
  }

  @Test
  @DisplayName("that every cluster needs are those of deploy/aws/policy.json")
  void shippedPolicy() {
    assertThat(Pattern.compile("\"(ec2:\\w+)\"").matcher(POLICY).results())
        .extracting(found -> found.group(1))
        .containsExactlyInAnyOrderElementsOf(
            Permissions.needed(Set.of()).stream().map(Ec2Operation::iamAction).toList());
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          irsa         | system:serviceaccount:NAMESPACE:NAME
          pod-identity | "aws:RequestTag/kubernetes-namespace": "NAMESPACE"
          pod-identity | "aws:RequestTag/kubernetes-service-account": "NAME"
          """)
  @DisplayName("are those of a role that trusts the ServiceAccount of deploy/base alone")
  void shippedTrust(String file, String condition) {
    String account = Repository.text("deploy/base/serviceaccount.yaml");
    String expected =
        condition
            .replace("NAMESPACE", value(account, "namespace"))
            .replace("NAME", value(account, "name"));

    assertThat(Repository.text("deploy/aws/trust-" + file + ".json")).contains(expected);
  }

  private static String value(String manifest, String key) {
    Matcher line = Pattern.compile("^  " + key + ": (\\S+)$", Pattern.MULTILINE).matcher(manifest);
    assertThat(line.find()).as(key).isTrue();
    return line.group(1);
  }

  @DisplayName("are granted by a statement of the region's partition")
  @ParameterizedTest(name = "{0} in {1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          DESCRIBE_VPCS | cn-north-1 | {"Effect": "Allow", "Action": "ec2:DescribeVpcs", "Resource": "*"}
          CREATE_TAGS | eu-west-1 | {"Effect": "Allow", "Action": "ec2:CreateTags", "Resource": "arn:aws:ec2:eu-west-1:*:network-interface/*"}
          CREATE_TAGS | cn-north-1 | {"Effect": "Allow", "Action": "ec2:CreateTags", "Resource": "arn:aws-cn:ec2:cn-north-1:*:network-interface/*"}
          DELETE_NETWORK_INTERFACE | us-gov-west-1 | {"Effect": "Allow", "Action": "ec2:DeleteNetworkInterface", "Resource": "arn:aws-us-gov:ec2:us-gov-west-1:*:network-interface/*"}
          MODIFY_NETWORK_INTERFACE_ATTRIBUTE | eu-west-1 | {"Effect": "Allow", "Action": "ec2:ModifyNetworkInterfaceAttribute", "Resource": ["arn:aws:ec2:eu-west-1:*:network-interface/*", "arn:aws:ec2:eu-west-1:*:instance/*", "arn:aws:ec2:eu-west-1:*:security-group/*"]}
          ASSOCIATE_ADDRESS | eu-west-1 | {"Effect": "Allow", "Action": "ec2:AssociateAddress", "Resource": ["arn:aws:ec2:eu-west-1:*:elastic-ip/*", "arn:aws:ec2:eu-west-1:*:network-interface/*"]}
          """)
  void statements(Ec2Operation operation, String region, String statement) {
    assertThat(Permissions.statement(operation, region)).isEqualTo(statement);
  }

  @DisplayName("of two accounts are asked of those that requests go to (7.2)")
  @ParameterizedTest(name = "{0}, all features but {1}: network {3}, instances {2}")
  @CsvSource({
    "DESCRIBE_INSTANCES, RELEASE, true, false",
    "DESCRIBE_SUBNETS, RELEASE, false, true",
    "DESCRIBE_SUBNETS, TWO_ACCOUNTS, true, false",
    "DESCRIBE_NETWORK_INTERFACES, RELEASE, true, true",
    "DESCRIBE_NETWORK_INTERFACES, TWO_ACCOUNTS, true, false",
    "MODIFY_NETWORK_INTERFACE_ATTRIBUTE, RELEASE, true, true",
    "MODIFY_NETWORK_INTERFACE_ATTRIBUTE, SECURITY_GROUPS, true, false",
    "ASSIGN_PRIVATE_IP_ADDRESSES, RELEASE, true, true",
    "ASSIGN_PRIVATE_IP_ADDRESSES, FIRST_INTERFACES, false, true",
    "ASSIGN_PRIVATE_IP_ADDRESSES, TWO_ACCOUNTS, true, false"
  })
  void accounts(Ec2Operation operation, Feature without, boolean instances, boolean network) {
    Set<Feature> features = EnumSet.complementOf(EnumSet.of(without));
    assertThat(Permissions.asked(features).contains(new Asked(operation, false)))
        .isEqualTo(instances);
    assertThat(Permissions.asked(features).contains(new Asked(operation, true))).isEqualTo(network);
  }

  @Test
  @DisplayName("of first interfaces are uncertain only while no node is known")
  void nodesTell() {
    AwsTargets unknown = AwsTargets.of(List.of());
    assertThat(unknown.uses()).isEmpty();
    assertThat(unknown.mayUse()).containsExactly(Feature.FIRST_INTERFACES);
    assertThat(AwsTargets.of(List.of(NodeResource.named("a"))).mayUse()).isEmpty();
  }

  @Test
  @DisplayName("to take a role on are granted for that role")
  void assume() {
    assertThat(Permissions.assume("arn:aws-cn:iam::111111111111:role/ipam"))
        .isEqualTo(
            "{\"Effect\": \"Allow\", \"Action\": \"sts:AssumeRole\", \"Resource\":"
                + " \"arn:aws-cn:iam::111111111111:role/ipam\"}");
  }
}
