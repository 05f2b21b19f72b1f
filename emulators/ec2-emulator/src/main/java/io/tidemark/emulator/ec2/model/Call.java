package io.tidemark.emulator.ec2.model;

import io.tidemark.emulator.ec2.protocol.Ec2Refusal;
import io.tidemark.emulator.ec2.protocol.Parameters;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** One request while its action runs: caller, parameters and region. Lives as long as the call. */
public record Call(
    Caller caller, Parameters parameters, Region region, Instant readAt, boolean partial) {
  public String account() {
    return caller.account();
  }

  public Instant now() {
    return region.now();
  }

  /** Whether a fault limits the action to a part of the request. */
  public boolean isPartial() {
    return partial;
  }

  /**
   * The rows that the caller sees in this table, after the resource with this serial; 0 for all.
   */
  public <T extends Resource> Stream<Table.Seen<T>> seen(Table<T> table, long afterSerial) {
    return seen(table, afterSerial, Map.of());
  }

  /** The same without some of what does not pass these filters, by name, values and no pattern. */
  public <T extends Resource> Stream<Table.Seen<T>> seen(
      Table<T> table, long afterSerial, Map<String, Set<String>> exact) {
    return table
        .seen(readAt, afterSerial, exact)
        .filter(seen -> seen.resource().isVisibleTo(caller.account()));
  }

  /** The resource as the caller sees it; empty when the caller sees none of this id. */
  public <T extends Resource> Optional<T> seen(Table<T> table, String id) {
    return table.find(id, readAt).filter(resource -> resource.isVisibleTo(caller.account()));
  }

  /**
   * The current state of the resource to change.
   *
   * @throws Ec2Refusal if the id is malformed, or the caller has no such resource
   */
  public <T extends Resource> T need(Table<T> table, String id) {
    table.type().requireWellFormed(id);
    return table
        .find(id)
        .filter(resource -> resource.isVisibleTo(caller.account()))
        .orElseThrow(() -> table.type().notFound(id));
  }

  /**
   * The same for something that only its owner may change.
   *
   * @throws Ec2Refusal also when the caller sees it, but it belongs to another account
   */
  public <T extends Resource> T needOwn(Table<T> table, String id) {
    T resource = need(table, id);
    if (!resource.ownerId().equals(caller.account())) {
      throw new Ec2Refusal(Denials.unauthorized(caller, "change " + id));
    }
    return resource;
  }

  /** The resource of the caller's that this parameter names, which a request must have. */
  public <T extends Resource> T own(Table<T> table, String parameter) {
    return needOwn(table, parameters.need(parameter));
  }

  /**
   * The resource of the caller's that has an association or attachment of this id.
   *
   * @throws Ec2Refusal if the id is malformed, or the caller has no such resource
   */
  public <T extends Resource> T ownWith(
      ResourceType part, String id, Stream<T> all, Predicate<T> has) {
    part.requireWellFormed(id);
    return all.filter(each -> each.ownerId().equals(caller.account()))
        .filter(has)
        .findFirst()
        .orElseThrow(() -> part.notFound(id));
  }

  /**
   * Several resources at once, as they are now.
   *
   * @throws Ec2Refusal naming all ids that do not exist
   */
  public <T extends Resource> List<T> needAll(Table<T> table, List<String> ids) {
    List<T> found = new ArrayList<>();
    List<String> missing = new ArrayList<>();
    for (String id : ids) {
      table.type().requireWellFormed(id);
      table
          .find(id)
          .filter(resource -> resource.isVisibleTo(caller.account()))
          .ifPresentOrElse(found::add, () -> missing.add(id));
    }
    if (!missing.isEmpty()) {
      throw table.type().notFound(missing);
    }
    return found;
  }
}
