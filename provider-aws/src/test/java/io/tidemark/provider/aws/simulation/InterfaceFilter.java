package io.tidemark.provider.aws.simulation;

import io.tidemark.provider.aws.ec2.InterfaceQuery;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/** The meaning of a query for interfaces for the model. */
final class InterfaceFilter {
  private InterfaceFilter() {}

  /** The same as far as the model has an index for it. */
  static Map<String, Set<String>> exact(InterfaceQuery query) {
    if (query instanceof InterfaceQuery.OfVpcs of) {
      return Map.of("vpc-id", of.vpcIds());
    }
    if (query instanceof InterfaceQuery.OfInstances of) {
      return Map.of("attachment.instance-id", DirectReads.texts(of.ids()));
    }
    if (query instanceof InterfaceQuery.One one) {
      return Map.of("network-interface-id", Set.of(one.id().text()));
    }
    Map<String, Set<String>> exact = new HashMap<>();
    tags(query).forEach((key, value) -> exact.put("tag:" + key, Set.of(value)));
    return exact;
  }

  private static Map<String, String> tags(InterfaceQuery query) {
    return query instanceof InterfaceQuery.Tagged tagged
        ? tagged.tags()
        : ((InterfaceQuery.Available) query).tags();
  }

  /** Whether the query selects an interface. */
  static Predicate<io.tidemark.emulator.ec2.model.Ec2NetworkInterface> of(InterfaceQuery query) {
    if (query instanceof InterfaceQuery.OfVpcs of) {
      return each -> of.vpcIds().contains(each.placement().vpcId());
    }
    if (query instanceof InterfaceQuery.OfInstances of) {
      Set<String> ids = DirectReads.texts(of.ids());
      return each -> each.attachment().filter(a -> ids.contains(a.instanceId())).isPresent();
    }
    if (query instanceof InterfaceQuery.One one) {
      return each -> each.id().equals(one.id().text());
    }
    Map<String, String> tags = tags(query);
    return each ->
        each.tags().values().entrySet().containsAll(tags.entrySet())
            && (query instanceof InterfaceQuery.Tagged || each.status().equals("available"));
  }
}
