package io.tidemark.provider.mock.cloud;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.provider.kit.pool.Pool;
import io.tidemark.spi.AttachedInterface;
import io.tidemark.spi.InterfaceId;
import io.tidemark.spi.PoolId;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Sends requests to a mock cloud, without a provider. */
public record CloudClient(MockCloud cloud) {
  /** Faults in the form of {@code mock-faults}; reads lag by exactly this time. */
  public static FaultPlan plan(Duration lag, String... rules) {
    FaultScript script = new FaultScript(Stream.of(rules).map(FaultScript.Rule::parse).toList());
    return new FaultPlan() {
      @Override
      public FaultPlan.Fault faultOf(CloudOperation operation, String subject) {
        return script.faultOf(operation, subject);
      }

      @Override
      public Duration lag() {
        return lag;
      }
    };
  }

  private <T> T send(CloudOperation operation, String subject, MockCloud.Request<T> request)
      throws CloudException, IOException {
    return cloud.request(operation, subject, request);
  }

  List<Pool<MockSubnet>> subnets() throws CloudException, IOException {
    return send(CloudOperation.DESCRIBE_SUBNETS, "", MockRequests::subnets);
  }

  List<MockInterface> interfacesOf(List<String> ids) throws CloudException, IOException {
    return send(CloudOperation.DESCRIBE_INTERFACES, "", it -> it.interfacesOf(ids));
  }

  List<MockInterface> interfaces(Predicate<MockInterface> wanted)
      throws CloudException, IOException {
    return send(CloudOperation.DESCRIBE_INTERFACES, "", it -> it.interfaces(wanted));
  }

  /** Creates an interface of {@code subnet-a}. */
  public MockInterface create(Map<String, String> tags, int singles, int blocks, String token)
      throws CloudException, IOException {
    MockInterface.Fixed wanted = new MockInterface.Fixed("", List.of(), tags);
    return send(
        CloudOperation.CREATE_INTERFACE,
        "subnet-a",
        it -> it.create(new PoolId("subnet-a"), wanted, singles, blocks, token));
  }

  MockInterface attach(InterfaceId id, String instance, int index)
      throws CloudException, IOException {
    return send(CloudOperation.ATTACH_INTERFACE, instance, it -> it.attach(id, instance, index));
  }

  AttachedInterface assign(InterfaceId id, int singles, int blocks)
      throws CloudException, IOException {
    return send(CloudOperation.ASSIGN_ADDRESSES, id.text(), it -> it.assign(id, singles, blocks));
  }

  InterfaceId unassign(InterfaceId id, AddressSet singles, List<Cidr> blocks)
      throws CloudException, IOException {
    return send(
        CloudOperation.UNASSIGN_ADDRESSES, id.text(), it -> it.unassign(id, singles, blocks));
  }

  InterfaceId delete(InterfaceId id) throws CloudException, IOException {
    return send(CloudOperation.DELETE_INTERFACE, id.text(), it -> it.delete(id));
  }

  /** Routes a range to an instance. */
  public String addAliasRange(String instance, Cidr range) throws CloudException, IOException {
    return send(CloudOperation.ADD_ALIAS_RANGE, instance, it -> it.addAliasRange(instance, range));
  }
}
