package io.tidemark.provider.aws.simulation;

import io.tidemark.provider.aws.ec2.AwsNetworkInterface;
import io.tidemark.provider.aws.ec2.CreateInterfaceRequest;
import io.tidemark.provider.aws.ec2.Ec2Api;
import io.tidemark.provider.aws.ec2.Ec2Failure;
import io.tidemark.provider.aws.ec2.Ec2Operation;
import io.tidemark.resilience.CallKind;
import io.tidemark.simulation.cloud.CloudTemper;
import io.tidemark.spi.InterfaceId;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A door to EC2 that is as bad as the scenario says, and tells the truth what it changed. */
final class Tempered implements InvocationHandler {
  private static final Map<String, Ec2Operation> OPERATIONS = new HashMap<>();

  static {
    for (Ec2Operation each : Ec2Operation.values()) {
      String action = each.action();
      OPERATIONS.put(Character.toLowerCase(action.charAt(0)) + action.substring(1), each);
    }
    OPERATIONS.put("securityGroupsForVpc", Ec2Operation.GET_SECURITY_GROUPS_FOR_VPC);
    OPERATIONS.put("describeTag", Ec2Operation.DESCRIBE_TAGS);
    OPERATIONS.put("modifyDeleteOnTermination", Ec2Operation.MODIFY_NETWORK_INTERFACE_ATTRIBUTE);
    OPERATIONS.put("modifySecurityGroups", Ec2Operation.MODIFY_NETWORK_INTERFACE_ATTRIBUTE);
    OPERATIONS.put("assignPrefixes", Ec2Operation.ASSIGN_PRIVATE_IP_ADDRESSES);
    OPERATIONS.put("unassignPrefixes", Ec2Operation.UNASSIGN_PRIVATE_IP_ADDRESSES);
    OPERATIONS.put("assignIpv6Prefixes", Ec2Operation.ASSIGN_IPV6_ADDRESSES);
  }

  private final Ec2Api genuine;
  private final Ec2World world;
  private final CloudTemper temper;
  private final OwnFaults faults;
  private final Truth truth;

  private Tempered(
      Ec2Api genuine, Ec2World world, CloudTemper temper, OwnFaults faults, Truth truth) {
    this.genuine = genuine;
    this.world = world;
    this.temper = temper;
    this.faults = faults;
    this.truth = truth;
  }

  static Ec2Api of(
      Ec2Api genuine, Ec2World world, CloudTemper temper, OwnFaults faults, Truth truth) {
    return (Ec2Api)
        Proxy.newProxyInstance(
            Ec2Api.class.getClassLoader(),
            new Class<?>[] {Ec2Api.class},
            new Tempered(genuine, world, temper, faults, truth));
  }

  @Override
  public @Nullable Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
    Ec2Operation operation =
        Objects.requireNonNull(OPERATIONS.get(method.getName()), method.getName());
    if (temper.refuses(operation.action())) {
      throw Ec2Failure.refused("InternalError", "An internal error has occurred", 500, "");
    }
    boolean change = operation.kind().effect() != CallKind.Effect.READ;
    if (!change) {
      world.model().readsBehind(Optional.of(temper.readLag()));
    }
    Optional<Ec2Failure> refusal = faults.next(operation, arguments);
    if (refusal.isPresent()) {
      throw refusal.get();
    }
    Optional<String> attached =
        operation == Ec2Operation.DETACH_NETWORK_INTERFACE
            ? world
                .region()
                .interfaces()
                .presentBy("attachment.attachment-id", (String) arguments[0])
                .map(each -> each.id())
                .findFirst()
            : Optional.empty();
    try {
      Object answer = method.invoke(genuine, arguments);
      if (answer instanceof AwsNetworkInterface made) {
        truth.look(made.id().text());
      }
      return answer;
    } catch (InvocationTargetException e) {
      throw e.getCause();
    } finally {
      if (change) {
        world.pass();
        attached.ifPresent(truth::look);
        for (Object argument : arguments) {
          if (argument instanceof InterfaceId id) {
            truth.look(id.text());
          } else if (argument instanceof CreateInterfaceRequest request) {
            world.madeUnder(request.token()).forEach(truth::look);
          }
        }
      }
    }
  }

  /** The request of a creation. */
  static Optional<CreateInterfaceRequest> creation(Object[] arguments) {
    return arguments[0] instanceof CreateInterfaceRequest request
        ? Optional.of(request)
        : Optional.empty();
  }
}
