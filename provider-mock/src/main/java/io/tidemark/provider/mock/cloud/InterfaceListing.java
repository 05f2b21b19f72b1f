package io.tidemark.provider.mock.cloud;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Answers which interfaces a query selects. */
final class InterfaceListing {
  private InterfaceListing() {}

  /** The part of the answer that begins at {@code token}, as of an instant; under the lock. */
  static Page<NetworkInterface> of(
      CloudState state, InterfaceQuery query, String token, long nanos) {
    if (query instanceof InterfaceQuery.OfInstances of) {
      List<NetworkInterface> found = new ArrayList<>();
      of.instanceIds().forEach(id -> found.addAll(state.attached(id, nanos)));
      return new Page<>(found, Optional.empty());
    }
    if (query instanceof InterfaceQuery.Ids ids) {
      List<NetworkInterface> found = new ArrayList<>();
      ids.interfaceIds().forEach(id -> state.findInterface(id, nanos).ifPresent(found::add));
      return new Page<>(found, Optional.empty());
    }
    if (query instanceof InterfaceQuery.Tagged tagged) {
      List<NetworkInterface> all = state.listed("", Integer.MAX_VALUE, nanos);
      all.removeIf(each -> !tagged.value().equals(each.tags().get(tagged.key())));
      return new Page<>(all, Optional.empty());
    }
    List<NetworkInterface> part = state.listed(token, CloudSettings.PAGE_SIZE, nanos);
    Optional<String> next =
        part.size() < CloudSettings.PAGE_SIZE
            ? Optional.empty()
            : Optional.of(part.get(part.size() - 1).id());
    return new Page<>(part, next);
  }

  /** The instance or interface that a query is about, when it is one. */
  static String subject(InterfaceQuery query) {
    if (query instanceof InterfaceQuery.OfInstances of && of.instanceIds().size() == 1) {
      return of.instanceIds().first();
    }
    if (query instanceof InterfaceQuery.Ids ids && ids.interfaceIds().size() == 1) {
      return ids.interfaceIds().first();
    }
    return "";
  }
}
