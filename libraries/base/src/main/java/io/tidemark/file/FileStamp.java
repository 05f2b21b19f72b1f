package io.tidemark.file;

/**
 * The attributes of a file. While they are unchanged, so is the content, except for changes within
 * the resolution of the file system's clock.
 *
 * @param regular whether it is a file, and not a directory or a pipe
 * @param key identity of the file behind the name, such as device and inode
 */
public record FileStamp(boolean regular, String key, long modifiedNanos, long size) {}
