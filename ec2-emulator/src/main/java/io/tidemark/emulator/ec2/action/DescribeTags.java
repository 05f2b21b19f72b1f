package io.tidemark.emulator.ec2.action;

import io.tidemark.emulator.ec2.model.Action;
import io.tidemark.emulator.ec2.model.Call;
import io.tidemark.emulator.ec2.protocol.Answer;
import io.tidemark.emulator.ec2.protocol.ParameterShape;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Lists the tags of all resources of the caller, by resource and key. */
final class DescribeTags implements Action {
  /** One line of the listing. */
  private record Tag(String resourceId, String resourceType, String key, String value) {
    /** Sorts by resource and key, and no two are equal. */
    String place() {
      return resourceId + ' ' + key;
    }
  }

  private static final ParameterShape SHAPE =
      ParameterShape.of(Fields.FILTERS, Fields.MAX_RESULTS, Fields.NEXT_TOKEN, Fields.DRY_RUN);

  private static final PageRequest.Rule PAGES = new PageRequest.Rule(5, 1000, Optional.empty());

  private static final Filters<Tag> FILTERS =
      new Filters<Tag>("DescribeTags")
          .by("key", Tag::key)
          .by("value", Tag::value)
          .by("resource-id", Tag::resourceId)
          .by("resource-type", Tag::resourceType)
          .byTags(DescribeTags::only);

  @Override
  public ParameterShape shape() {
    return SHAPE;
  }

  @Override
  public Answer answer(Call call) {
    PageRequest page = PageRequest.read(call.parameters(), PAGES);
    Predicate<Tag> filter = FILTERS.read(call.parameters());
    SortedMap<String, Tag> all = new TreeMap<>();
    tags(call).filter(filter).forEach(tag -> all.put(tag.place(), tag));
    List<Tag> rest =
        all.values().stream()
            .filter(tag -> page.cursor().map(c -> c.compareTo(tag.place()) < 0).orElse(true))
            .toList();
    int most = Math.min(rest.size(), page.most().orElse(Integer.MAX_VALUE));
    return Answer.builder()
        .items("tagSet", rest.subList(0, most), DescribeTags::line)
        .text(
            "nextToken",
            most < rest.size()
                ? Optional.of(page.tokenAfter(rest.get(most - 1).place()))
                : Optional.empty())
        .build();
  }

  private static Stream<Tag> tags(Call call) {
    return call.region()
        .tables()
        .flatMap(
            table ->
                call.seen(table, 0)
                    .map(seen -> seen.resource())
                    .filter(resource -> resource.ownerId().equals(call.account()))
                    .flatMap(
                        resource ->
                            resource.tags().values().entrySet().stream()
                                .map(
                                    tag ->
                                        new Tag(
                                            resource.id(),
                                            table.type().tagName(),
                                            tag.getKey(),
                                            tag.getValue()))));
  }

  private static SortedMap<String, String> only(Tag tag) {
    return new TreeMap<>(Map.of(tag.key(), tag.value()));
  }

  private static Answer line(Tag tag) {
    return Answer.builder()
        .text("resourceId", tag.resourceId())
        .text("resourceType", tag.resourceType())
        .text("key", tag.key())
        .text("value", tag.value())
        .build();
  }
}
