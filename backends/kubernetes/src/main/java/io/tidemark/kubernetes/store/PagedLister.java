package io.tidemark.kubernetes.store;

import io.fabric8.kubernetes.api.model.DefaultKubernetesResourceList;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ListOptions;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.dsl.internal.AbstractWatchManager;
import io.fabric8.kubernetes.client.dsl.internal.BaseOperation;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.fabric8.kubernetes.client.informers.impl.ListerWatcher;
import io.tidemark.kubernetes.ClusterConnection;
import io.tidemark.kubernetes.LiveLister;
import io.tidemark.kubernetes.WatchTrouble;
import java.io.ByteArrayInputStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Lists the objects of one kind page by page, and watches them. Requests the next page as soon as
 * one has arrived, before parsing that one; no more than one page ahead. For one list at a time:
 * {@link #another} is for a second one. Thread-safe.
 *
 * @param <J> an object
 * @param <L> a list of them
 */
final class PagedLister<J extends HasMetadata, L extends DefaultKubernetesResourceList<J>>
    implements ListerWatcher<J, L> {
  private static final long PAGE = 500;

  /** Bytes at the start and at the end of a list that are searched for its metadata. */
  private static final int METADATA_MAX = 2048;

  private static final Pattern CONTINUE = Pattern.compile("\"continue\" ?: ?\"([^\"\\\\]+)\"");

  private final ClusterConnection cluster;
  private final Class<J> type;
  private final Class<L> listType;
  private final String path;
  private final BaseOperation<J, ?, ?> watches;
  private final AtomicReference<@Nullable Ahead> ahead = new AtomicReference<>();

  /** The page that {@code token} continues with. */
  private record Ahead(String token, CompletableFuture<byte[]> body) {}

  /**
   * Requests nothing.
   *
   * @param path of the list, without a query
   * @param only the name of the one object to list and watch; empty for all
   */
  PagedLister(
      ClusterConnection cluster,
      Class<J> type,
      Class<L> listType,
      String path,
      Optional<String> only) {
    this(
        cluster,
        type,
        listType,
        path
            + "?limit="
            + PAGE
            + only.map(name -> "&fieldSelector=metadata.name%3D" + name).orElse(""),
        watches(cluster, type, only));
  }

  private PagedLister(
      ClusterConnection cluster,
      Class<J> type,
      Class<L> listType,
      String path,
      BaseOperation<J, ?, ?> watches) {
    this.cluster = cluster;
    this.type = type;
    this.listType = listType;
    this.path = path;
    this.watches = watches;
  }

  @SuppressWarnings("unchecked") // the client library has no other operations
  private static <J extends HasMetadata> BaseOperation<J, ?, ?> watches(
      ClusterConnection cluster, Class<J> type, Optional<String> only) {
    cluster.registerType(type);
    var all = cluster.client().resources(type);
    return (BaseOperation<J, ?, ?>)
        (only.isPresent() ? all.withField("metadata.name", only.get()) : all);
  }

  PagedLister<J, L> another() {
    return new PagedLister<>(cluster, type, listType, path, watches);
  }

  /** An informer that is not started. */
  SharedIndexInformer<J> informer(WatchTrouble trouble) {
    return LiveLister.informer(type, this, watches.getOperationContext().getExecutor(), trouble);
  }

  /**
   * One page; blocks. With no version in the request, the first page shows a moment after the
   * request arrived, and so do those that continue it.
   *
   * @param next the token of the page before; empty text for the first
   * @param reader takes what is kept of an object
   * @throws KubernetesClientException when there is no such answer
   */
  <T> ConsistentList.Page<T> page(String next, Function<J, KnownObject<T>> reader) {
    L list = cluster.await(submitList(new ListOptionsBuilder().withContinue(next).build()));
    String following = list.getMetadata().getContinue();
    return new ConsistentList.Page<>(
        list.getItems().stream().map(reader).toList(),
        list.getMetadata().getResourceVersion(),
        following == null ? "" : following);
  }

  @Override
  public CompletableFuture<L> submitList(ListOptions options) {
    String token = options.getContinue() == null ? "" : options.getContinue();
    Ahead requested = ahead.getAndSet(null);
    CompletableFuture<byte[]> body =
        requested != null && requested.token().equals(token) ? requested.body() : fetch(token);
    return body.thenApply(this::read);
  }

  private CompletableFuture<byte[]> fetch(String token) {
    return cluster.fetch(
        token.isEmpty()
            ? path
            : path + "&continue=" + URLEncoder.encode(token, StandardCharsets.UTF_8));
  }

  private L read(byte[] body) {
    next(body).ifPresent(token -> ahead.set(new Ahead(token, fetch(token))));
    return cluster
        .client()
        .getKubernetesSerialization()
        .unmarshal(new ByteArrayInputStream(body), listType);
  }

  /**
   * Finds the token of the next page without parsing the list. A field of an object can match as
   * well: then the list has another token, and the page that was requested is not used.
   */
  private static Optional<String> next(byte[] body) {
    int edge = Math.min(METADATA_MAX, body.length);
    String start = text(body, 0, edge);
    int items = start.indexOf("\"items\"");
    return tokens(items < 0 ? start : start.substring(0, items))
        .findFirst()
        .or(() -> tokens(text(body, body.length - edge, edge)).reduce((before, last) -> last));
  }

  private static String text(byte[] body, int start, int length) {
    return new String(body, start, length, StandardCharsets.ISO_8859_1);
  }

  private static Stream<String> tokens(String text) {
    return CONTINUE.matcher(text).results().map(found -> found.group(1));
  }

  @Override
  public CompletableFuture<AbstractWatchManager<J>> submitWatch(
      ListOptions options, Watcher<J> watcher) {
    return watches.submitWatch(options, watcher);
  }

  @Override
  public Long getLimit() {
    return PAGE;
  }

  @Override
  public int getWatchReconnectInterval() {
    return watches.getWatchReconnectInterval();
  }

  @Override
  public String getApiEndpointPath() {
    return watches.getApiEndpointPath();
  }

  @Override
  public Config getConfig() {
    return watches.getConfig();
  }
}
