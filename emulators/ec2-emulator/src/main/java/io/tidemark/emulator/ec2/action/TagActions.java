package io.tidemark.emulator.ec2.action;

import io.tidemark.emulator.ec2.model.Action;
import io.tidemark.emulator.ec2.model.Call;
import io.tidemark.emulator.ec2.model.Ec2Tags;
import io.tidemark.emulator.ec2.model.Resource;
import io.tidemark.emulator.ec2.model.ResourceType;
import io.tidemark.emulator.ec2.model.Table;
import io.tidemark.emulator.ec2.protocol.Answer;
import io.tidemark.emulator.ec2.protocol.Ec2Refusal;
import io.tidemark.emulator.ec2.protocol.Parameters;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** Tags of resources of any kind, found by what their ids look like. */
final class TagActions {
  /** One line of the listing. */
  private record Tag(String resourceId, String resourceType, String key, String value) {
    /** Sorts by resource and key, and no two are equal. */
    String place() {
      return resourceId + ' ' + key;
    }
  }

  static final List<Action> ALL =
      List.of(
          DeclaredAction.doing("CreateTags", "ResourceId[]! Tag[]!{Key Value}", TagActions::create),
          DeclaredAction.doing("DeleteTags", "ResourceId[]! Tag[]{Key Value}", TagActions::delete),
          DeclaredAction.of("DescribeTags", DeclaredAction.PAGES, TagActions::describe));

  private static final Ec2Filters<Tag> FILTERS =
      new Ec2Filters<Tag>("DescribeTags")
          .by("key", Tag::key)
          .by("value", Tag::value)
          .by("resource-id", Tag::resourceId)
          .by("resource-type", Tag::resourceType)
          .byTags(tag -> Ec2Tags.of(Map.of(tag.key(), tag.value())));

  private TagActions() {}

  /** Adds or overwrites tags of any resources of the caller, of all or of none. */
  private static void create(Call call) {
    Map<String, String> tags = TagRules.read(call.parameters());
    change(call, present -> TagRules.checked(call, present.plus(tags)));
  }

  /**
   * Takes tags off resources: those with a key, or with key and value when a value is given, or all
   * when no tag is named. A tag that is not there is no error.
   */
  private static void delete(Call call) {
    List<Parameters> unwanted = call.parameters().structures("Tag");
    unwanted.forEach(tag -> TagRules.requireKey(tag.text("Key").orElse("")));
    change(call, present -> unwanted.isEmpty() ? Ec2Tags.NONE : without(present, unwanted));
  }

  private static Ec2Tags without(Ec2Tags present, List<Parameters> unwanted) {
    Ec2Tags left = present;
    for (Parameters tag : unwanted) {
      String key = tag.need("Key");
      Optional<String> value = tag.text("Value");
      Optional<String> there = Optional.ofNullable(left.values().get(key));
      if (value.isEmpty() || value.equals(there)) {
        left = left.minus(key);
      }
    }
    return left;
  }

  /** Refuses an id that is of no kind that has tags, or names nothing of the caller. */
  private static void change(Call call, UnaryOperator<Ec2Tags> change) {
    for (String id : call.parameters().texts("ResourceId").stream().distinct().toList()) {
      change(call, call.region().tableOf(id).orElseThrow(() -> unknown(id)), id, change);
    }
  }

  private static Ec2Refusal unknown(String id) {
    return ResourceType.ofId(id)
        .map(type -> type.notFound(id))
        .orElseGet(() -> Ec2Refusal.of("InvalidID", "The ID '%s' is not valid", id));
  }

  /** A resource with other tags is of the same kind: every {@code withTags} returns its own. */
  @SuppressWarnings("unchecked")
  private static <T extends Resource> void change(
      Call call, Table<T> table, String id, UnaryOperator<Ec2Tags> change) {
    T resource = call.needOwn(table, id);
    table.put((T) resource.withTags(change.apply(resource.tags())));
  }

  /** Lists the tags of all resources of the caller, by resource and key. */
  private static Answer describe(Call call) {
    PageRequest page = PageRequest.read(call.parameters(), "ResourceId", 1000);
    Predicate<Tag> filter = FILTERS.read(call.parameters());
    List<Tag> all =
        call.region()
            .tables()
            .flatMap(table -> tags(call, table))
            .filter(filter)
            .sorted(Comparator.comparing(Tag::place))
            .toList();
    return Listing.of(all, page, Tag::place)
        .answer(
            "tagSet",
            tag ->
                Answer.of("resourceId", tag.resourceId())
                    .put("resourceType", tag.resourceType())
                    .put("key", tag.key())
                    .put("value", tag.value()));
  }

  private static Stream<Tag> tags(Call call, Table<? extends Resource> table) {
    String type = table.type().tagName();
    return call.seen(table, 0)
        .map(seen -> seen.resource())
        .filter(resource -> resource.ownerId().equals(call.account()))
        .flatMap(
            one ->
                one.tags().values().entrySet().stream()
                    .map(tag -> new Tag(one.id(), type, tag.getKey(), tag.getValue())));
  }
}
