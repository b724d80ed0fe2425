// SPDX-License-Identifier: GPL-3.0-or-later
/* Loaded into KCachegrind with LD_PRELOAD; prints what its list of functions shows of the
   file that it was started with, and ends it.  A line for each, separated by tabs: the
   name, the figure of the first event with what it calls, its own, and how often it was
   called. */

#include <QtCore/QTimer>
#include <QtWidgets/QApplication>
#include <QtWidgets/QTreeView>

#include <cstdio>
#include <cstdlib>

namespace
{

/* The list of functions; null: it is not there yet.  */
QAbstractItemView *find_functions()
{
    for (QWidget *widget : QApplication::allWidgets()) {
        auto *view = qobject_cast<QTreeView *>(widget);
        if (view && view->model() && view->isVisible() && view->parent() &&
            view->parent()->inherits("FunctionSelection") && view->model()->rowCount())
            return view;
    }
    return nullptr;
}

/* Digits are in groups.  */
QString figure(const QModelIndex &row, int column)
{
    return row.sibling(row.row(), column).data().toString().remove(' ');
}

void print_functions()
{
    QAbstractItemView *functions = find_functions();
    if (!functions) {
        QTimer::singleShot(50, print_functions);
        return;
    }
    for (int i = 0; i < functions->model()->rowCount(); i++) {
        QModelIndex row = functions->model()->index(i, 0);
        QString name = row.sibling(i, 3).data().toString();
        puts(
            qPrintable(QStringList({name, figure(row, 0), figure(row, 1), figure(row, 2)})
                           .join('\t')));
    }
    fflush(stdout);
    _Exit(0);
}

void start()
{
    QTimer::singleShot(0, print_functions);
}

} // namespace

Q_COREAPP_STARTUP_FUNCTION(start)
