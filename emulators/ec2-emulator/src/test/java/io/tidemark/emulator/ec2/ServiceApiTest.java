package io.tidemark.emulator.ec2;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.emulator.ec2.action.Actions;
import io.tidemark.emulator.ec2.model.Action;
import io.tidemark.emulator.ec2.model.Reply;
import io.tidemark.emulator.ec2.protocol.Ec2Error;
import io.tidemark.emulator.ec2.protocol.ServiceApi;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.services.ec2.Ec2Client;
import software.amazon.awssdk.services.ec2.model.Ec2Request;

@DisplayName("What EC2 has and the emulator lacks is told from a mistake")
class ServiceApiTest {
  @Test
  @DisplayName("Every action of the AWS SDK is known, and every action that is built")
  void actions() {
    Set<String> sdk =
        Arrays.stream(Ec2Client.class.getMethods())
            .filter(method -> method.getParameterCount() == 1)
            .filter(method -> Ec2Request.class.isAssignableFrom(method.getParameterTypes()[0]))
            .map(ServiceApiTest::action)
            .collect(Collectors.toSet());
    assertThat(sdk).hasSizeGreaterThan(700);
    assertThat(ServiceApi.actions())
        .usingElementComparator(String.CASE_INSENSITIVE_ORDER)
        .as("the SDK writes EnableVolumeIO as EnableVolumeIo")
        .containsAll(sdk);
    assertThat(ServiceApi.actions()).containsAll(Actions.all().stream().map(Action::name).toList());
  }

  private static String action(Method method) {
    return method.getParameterTypes()[0].getSimpleName().replaceFirst("Request$", "");
  }

  static Stream<String> listings() {
    return Actions.all().stream()
        .map(Action::name)
        .filter(name -> !ServiceApi.filters(name).isEmpty());
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("listings")
  @DisplayName("A filter that EC2 documents is built or refused with UnsupportedOperation")
  void filters(String action) {
    World world = new World();
    String target = target(world, action);
    Map<String, String> codes = new TreeMap<>();
    for (String filter : ServiceApi.filters(action)) {
      Reply reply = world.send(action, target, World.filter(1, filter, "x"));
      codes.put(filter, reply.result().match(answer -> "built", Ec2Error::code));
    }
    assertThat(codes.values()).isSubsetOf("built", "UnsupportedOperation").contains("built");
    Ec2Error unknown = world.refusal(action, target, World.filter(1, "no-such-filter", "x"));
    assertThat(unknown.code()).isEqualTo("InvalidParameterValue");
    assertThat(unknown.message()).contains("no-such-filter");
  }

  /** The parameter that a listing of one subnet or one VPC needs. */
  private static String target(World world, String action) {
    return switch (action) {
      case "GetSubnetCidrReservations" -> "SubnetId=" + world.subnet("10.0.0.0/24");
      case "GetSecurityGroupsForVpc" -> "VpcId=" + world.vpc("10.0.0.0/24");
      default -> "";
    };
  }
}
