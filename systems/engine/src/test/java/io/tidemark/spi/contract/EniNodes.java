package io.tidemark.spi.contract;

import io.tidemark.resource.EniSpec;
import io.tidemark.resource.NodeResource;
import io.tidemark.spi.contract.ContractCloud.Capacity;
import io.tidemark.spi.contract.NodeShape.Trait;
import io.tidemark.testing.EniSpecSample;
import io.tidemark.testing.Samples;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/** Nodes of the contract for clouds whose section of the resource is {@code eni}. */
public final class EniNodes {
  /** Tags by which an interface is excluded. */
  private static final Map<String, String> EXCLUDED = Map.of("purpose", "host");

  /** Types of AWS's catalogue, by "interfaces x slots". */
  private static final Map<String, String> TYPES =
      Map.of(
          "2x9", "m4.large",
          "3x9", "m5.large",
          "3x14", "t2.xlarge",
          "4x14", "m4.xlarge",
          "8x29", "m5.4xlarge");

  private EniNodes() {}

  /** The instance type of a shape; fails where there is none of that shape here. */
  public static String instanceType(NodeShape shape) {
    if (shape.interfaces() == 1) {
      return "one-interface." + shape.slots();
    }
    String type = TYPES.get(shape.interfaces() + "x" + shape.slots());
    if (type == null) {
      throw new IllegalArgumentException("no instance type of " + shape);
    }
    return type;
  }

  /** Tags of the first interface of an instance of this shape. */
  public static Map<String, String> firstInterfaceTags(NodeShape shape) {
    return shape.has(Trait.FIRST_INTERFACE_EXCLUDED) ? EXCLUDED : Map.of();
  }

  /** The result of {@link ContractCloud#launch}. */
  public static NodeResource node(String name, String instanceId, NodeShape shape) {
    EniSpecSample spec = EniSpecSample.of(instanceType(shape));
    if (shape.has(Trait.FIRST_INTERFACE_RESERVED)) {
      spec.firstIndex(OptionalInt.of(1));
    }
    if (shape.has(Trait.FIRST_INTERFACE_EXCLUDED)) {
      spec.excludeTags(EXCLUDED);
    }
    if (shape.has(Trait.PRIMARY_ADDRESSES)) {
      spec.usePrimary(true);
    }
    EniSpec section = spec.build();
    return Samples.node(name).instanceId(instanceId).eniSpec(section).build();
  }

  /** As {@link ContractCloud#capacities}. */
  public static List<Capacity> capacities() {
    return List.of(
        new Capacity(false, false, false, 27),
        new Capacity(true, false, false, 29),
        new Capacity(false, true, false, 432),
        new Capacity(true, true, false, 434),
        new Capacity(true, true, true, 480));
  }

  /** As {@link ContractCloud#withUnknownMembers}. */
  public static String withUnknownMembers(String json) {
    return json.replace("\"eni\":{\"enis\":{", "\"eni\":{\"x-eni\":1,\"enis\":{")
        .replaceFirst("\"mac\":\"[^\"]*\"", "\"mac\":\"\",\"x-interface\":[1.0]")
        .replaceFirst("\"subnet\":\\{", "\"subnet\":{\"x-subnet\":{},")
        .replaceFirst("\"vpc\":\\{", "\"vpc\":{\"x-vpc\":\"kept\",");
  }
}
